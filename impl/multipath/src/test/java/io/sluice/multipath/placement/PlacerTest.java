// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlacerTest {
    private static final Bandwidth RATE = Bandwidth.ofMegabits(100);

    private final Scene figure10 = new Scene(Topologies.figure10(Bandwidth.ofMegabits(400)));
    private final Scene spines = new Scene(Topologies.leafSpine(2, 3, 1, 2, Rates.equal(RATE)));

    @Test
    void connectionsThatComeOneByOneShareNoLink() {
        for (int connection = 0; connection < 4; connection++) {
            figure10.keep(figure10.placed(figure10.demand(Strategy.JOINT, 1,
                Scene.pieces(1, List.of(figure10.server(8))))));
        }

        final var links = figure10.flows.stream().flatMap(flow -> flow.forward().links().stream()).toList();
        assertEquals(16, links.size());
        assertEquals(16, new HashSet<>(links).size());
    }

    @Test
    void piecesOfOneDemandShareNoLink() {
        final var placed = figure10.placed(figure10.demand(Strategy.JOINT, 1,
            Scene.pieces(4, List.of(figure10.server(8)))));

        assertEquals(16, new HashSet<>(Scene.links(placed)).size());
        placed.forEach(assignment -> assertEquals(RATE, assignment.expectedRate()));
        assertEquals(List.of(1, 2, 3, 4), placed.stream().map(Assignment::piece).toList());
    }

    @Test
    void piecesFromFourServersEachGetALinkOfTheirOwn() {
        final var pieces = IntStream.rangeClosed(1, 4)
            .mapToObj(number -> new Piece(number, List.of(figure10.server(4 + number)))).toList();

        final var placed = figure10.placed(figure10.demand(Strategy.JOINT, 1, pieces));

        assertEquals(4, Scene.paths(placed).stream().map(path -> path.links().getFirst()).distinct().count());
        assertEquals(RATE, placed.stream().map(Assignment::expectedRate).min(Bandwidth::compareTo).orElseThrow());
    }

    @Test
    void twoClientsOfEightServersFillTheFabric() {
        final var rates = new Rates(Bandwidth.ofMegabits(400), RATE, RATE);
        final var scene = new Scene(Topologies.fatTree(4, 2, rates));
        final var servers = IntStream.rangeClosed(9, 16).mapToObj(scene::server).toList();
        for (int client : List.of(1, 5)) {
            scene.keep(scene.placed(scene.demand(Strategy.JOINT, client, Scene.pieces(4, servers))));
        }

        scene.world().shares().fill().values().forEach(share ->
            assertEquals(RATE.bitsPerSecond(), share.rate()));
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void serverOnTheClientsSwitchNeedsNoLink(final Strategy strategy) {
        final var placed = spines.placed(spines.demand(strategy, 1,
            Scene.pieces(1, List.of(spines.server(2))))).getFirst();

        assertEquals(List.of(), placed.forward().links());
        assertEquals(Bandwidth.ZERO, placed.expectedRate());
        assertEquals(Optional.empty(), placed.bottleneck());
    }

    @ParameterizedTest
    @EnumSource(value = Strategy.class, names = {"JOINT", "GREEDY"})
    void nearbyServerIsPreferred(final Strategy strategy) {
        final var placed = spines.placed(spines.demand(strategy, 1,
            Scene.pieces(1, List.of(spines.server(3), spines.server(2)))));

        assertEquals("server-2", placed.getFirst().candidate().server());
    }

    @ParameterizedTest
    @EnumSource(value = Strategy.class, names = {"JOINT", "GREEDY", "LEAST_LOADED"})
    void backgroundIsAvoided(final Strategy strategy) {
        for (var busy : spines.shortest(1, 3)) {
            final var link = busy.links().getFirst();
            final var scene = new Scene(spines.fabric, Map.of(link.source(), Bandwidth.ofMegabits(60)));

            final var placed = scene.placed(scene.demand(strategy, 1, Scene.pieces(2, List.of(scene.server(3)))));

            assertTrue(Scene.links(placed).stream().map(Link::source).noneMatch(link.source()::equals));
        }
    }

    @Test
    void busyServerLosesToAnIdleOneAndTheRunnerUpIsNamed() {
        final var placed = spines.placed(spines.demand(Strategy.JOINT, 1,
            Scene.pieces(1, List.of(spines.server(3, 0.9, 4), spines.server(4, 0, 4))))).getFirst();

        assertEquals("server-4", placed.candidate().server());
        assertTrue(placed.weighing().runnerUp().orElseThrow().toString().startsWith("server-"), placed.toString());
        assertEquals(RATE, placed.expectedRate());
        assertTrue(placed.forward().links().contains(placed.bottleneck().orElseThrow().link())
            || placed.backward().links().contains(placed.bottleneck().orElseThrow().link()));
    }

    @Test
    void wantedBandwidthBoundsTheExpectedRate() {
        final var asked = spines.demand(Strategy.JOINT, 1, Scene.pieces(1, List.of(spines.server(3))));
        final var wanted = Bandwidth.ofMegabits(7);

        final var placed = spines.placed(new Demand(asked.client(), asked.clientEdge(), asked.pieces(), 4,
            Optional.of(wanted), Strategy.JOINT, 0)).getFirst();

        assertEquals(wanted, placed.expectedRate());
        assertEquals(Optional.empty(), placed.bottleneck());
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void refusalNamesThePiece(final Strategy strategy) {
        final var here = spines.server(2);
        final var lost = spines.fabric.links().stream()
            .filter(link -> link.source().switchId().equals(spines.edge(1))).toList();
        final var cut = new Scene(Topologies.without(spines.fabric, lost));

        assertTrue(spines.refused(spines.demand(strategy, 1, List.of(new Piece(1, List.of(here)),
            new Piece(2, List.of())))).startsWith("piece 2 is nowhere to be had"));
        final var unreachable = cut.refused(cut.demand(strategy, 1, List.of(new Piece(1, List.of(here)),
            new Piece(3, List.of(cut.server(3))))));
        assertTrue(unreachable.startsWith("no path leads from openflow:1 to a server with piece 3"), unreachable);
        assertEquals("the servers have no room for piece 2; wait for other transfers to end, or raise max-load",
            spines.refused(spines.demand(strategy, 1, Scene.pieces(2, List.of(spines.server(3, 0, 1))))));
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void serverBehindASwitchThatIsAwayIsNoCandidate(final Strategy strategy) {
        final var present = new HashSet<>(spines.fabric.switches());
        present.remove(spines.edge(3));
        final var scene = new Scene(new FabricSnapshot(2, present, spines.fabric.ports(), spines.fabric.links(),
            spines.fabric.hosts()));

        assertEquals("server-2", scene.placed(scene.demand(strategy, 1,
            Scene.pieces(1, List.of(scene.server(3), scene.server(2, 0.9, 4))))).getFirst().candidate().server());
        assertEquals("piece 1 is only behind switches that are not connected, [" + spines.edge(3)
            + "]; check them and their way to the controller", scene.refused(scene.demand(strategy, 1,
                Scene.pieces(1, List.of(scene.server(3))))));
    }

    @ParameterizedTest
    @EnumSource(value = Strategy.class, names = {"JOINT", "GREEDY", "LEAST_LOADED"})
    void ratesThatChangedSinceTheLastChoiceCount(final Strategy strategy) {
        final var placer = new Placer(Scene.SETTINGS);
        for (var busy : spines.shortest(1, 3)) {
            final var link = busy.links().getFirst().source();
            final var scene = new Scene(spines.fabric, Map.of(link, Bandwidth.ofMegabits(60)));

            final var placed = (Decision.Placed) placer.place(scene.world(),
                scene.demand(strategy, 1, Scene.pieces(1, List.of(scene.server(3)))));

            assertTrue(Scene.links(placed.assignments()).stream().map(Link::source).noneMatch(link::equals));
        }
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void pieceLeavesTheLastPlaceToTheOneThatNeedsIt(final Strategy strategy) {
        final var wanted = spines.server(2, 0, 1);
        final var other = spines.server(3, 0.5, 1);

        final var placed = spines.placed(spines.demand(strategy, 1,
            List.of(new Piece(1, List.of(wanted, other)), new Piece(2, List.of(wanted)))));

        assertEquals(List.of(other, wanted), placed.stream().map(Assignment::candidate).toList());
    }

    @Test
    void hashesSpreadEvenlyOverServersAndPaths() {
        final var scene = new Scene(Topologies.fatTree(4, 2, Rates.equal(RATE)));
        final var paths = scene.shortest(1, 8);
        assertEquals(16, paths.size());
        final var counts = new int[paths.size()][2];
        final var servers = List.of(scene.server(7), scene.server(8));

        LongStream.range(0, 10_000).forEach(hash -> {
            final var placed = scene.placed(scene.demand(Strategy.ECMP, 1, Scene.pieces(1, servers), hash)).getFirst();
            counts[paths.indexOf(placed.forward())][servers.indexOf(placed.candidate())]++;
        });

        final double expected = 10_000.0 / 32;
        double chiSquare = 0;
        for (var ofPath : counts) {
            for (int count : ofPath) {
                chiSquare += (count - expected) * (count - expected) / expected;
            }
        }
        assertTrue(chiSquare < 61.1, "31 degrees of freedom, 0.1 %: " + chiSquare);
    }

    @Test
    void singleTakesTheOnePathForAllConnections() {
        final var chosen = LongStream.range(0, 100).mapToObj(hash -> figure10.placed(figure10.demand(Strategy.SINGLE,
            1, Scene.pieces(4, List.of(figure10.server(8))), hash))).flatMap(placed -> Scene.paths(placed).stream());

        assertEquals(1, chosen.distinct().count());
    }

    @Test
    void eightPiecesOnAFatTreeOfEight() {
        final var scene = new Scene(Topologies.fatTree(8, 1, Rates.equal(RATE)));
        final var servers = IntStream.rangeClosed(1, 8).mapToObj(number -> scene.server(128 - 4 * number)).toList();
        final var demand = scene.demand(Strategy.JOINT, 1, Scene.pieces(8, servers));
        for (int run = 0; run < 8; run++) {
            final long start = System.nanoTime();
            final var placed = scene.placed(demand);
            System.out.printf("8 pieces, 8 servers, k=8, run %d: %.1f ms%n", run, (System.nanoTime() - start) / 1e6);
            assertEquals(50_000_000, placed.stream().mapToLong(one -> one.expectedRate().bitsPerSecond()).min()
                .orElseThrow());
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written down of a decision, on two leaves and two spines, of which one spine is busy. */
class WeighingTest {
    private static final Bandwidth RATE = Bandwidth.ofMegabits(100);
    private static final Bandwidth BUSY = Bandwidth.ofMegabits(60);

    private final Scene scene = scene();

    private static Scene scene() {
        final var idle = new Scene(Topologies.leafSpine(2, 2, 1, 2, Rates.equal(RATE)));
        return new Scene(idle.fabric, Map.of(idle.shortest(1, 3).getFirst().links().getFirst().source(), BUSY));
    }

    private Assignment placed(final Strategy strategy, final Candidate... candidates) {
        return scene.placed(scene.demand(strategy, 1, Scene.pieces(1, List.of(candidates)))).getFirst();
    }

    @Test
    void theRunnerUpOfTheJointChoiceIsTheBusyPathWithItsRate() {
        final var placed = placed(Strategy.JOINT, scene.server(3));

        final var second = placed.weighing().runnerUp().orElseThrow();
        assertEquals(Optional.of(scene.shortest(1, 3).getFirst()), second.forward());
        assertEquals(Optional.of(Bandwidth.ofMegabits(40)), second.rate());
        assertEquals(0.6, second.utilisation());
        assertEquals("the worst-off flow that it matters to gets 100000000 bit/s, with the runner-up 40000000 bit/s",
            placed.weighing().because());
        assertEquals(2, placed.weighing().considered());
    }

    @Test
    void theBottleneckIsToldWithItsBackgroundAndTheFlowsThatShareIt() {
        scene.keep(scene.shortest(1, 3).getFirst());
        scene.keep(scene.shortest(1, 3).getLast());
        scene.keep(scene.shortest(1, 3).getLast());

        final var bottleneck = placed(Strategy.JOINT, scene.server(3)).bottleneck().orElseThrow();

        assertEquals(3, bottleneck.flows());
        assertEquals(RATE, bottleneck.link().capacity());
        assertEquals(Bandwidth.ZERO, bottleneck.background());
        final var single = placed(Strategy.SINGLE, scene.server(3)).bottleneck().orElseThrow();
        assertEquals(new Bottleneck(scene.shortest(1, 3).getFirst().links().getFirst(), BUSY, 2), single);
    }

    @Test
    void equalRatesAreDecidedByCost() {
        final var placed = placed(Strategy.JOINT, scene.server(3, 0, 4), scene.server(4, 0.5, 4));

        assertEquals("server-3", placed.candidate().server());
        assertTrue(placed.weighing().because().startsWith("all flows get the same with the runner-up, which costs "),
            placed.weighing()::because);
        final long less = placed.weighing().alternatives().getFirst().cost().orElseThrow();
        assertEquals(OptionalLong.of(less + LinkCost.IDLE / 2),
            placed.weighing().runnerUp().orElseThrow().cost());
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void theChosenOneComesFirstAndEveryServerIsTold(final Strategy strategy) {
        final var placed = placed(strategy, scene.server(3), scene.server(4));
        final var first = placed.weighing().alternatives().getFirst();

        assertEquals(placed.candidate(), first.candidate());
        assertEquals(Optional.of(placed.forward()), first.forward());
        assertEquals(List.of("server-3", "server-4"), placed.weighing().alternatives().stream()
            .map(one -> one.candidate().server()).distinct().sorted().toList());
        assertFalse(placed.weighing().because().isEmpty());
        assertEquals(List.of(1), placed.together());
    }

    @ParameterizedTest
    @EnumSource(value = Strategy.class, names = {"ECMP", "RANDOM", "SINGLE"})
    void aStrategyThatComparesNothingHasNoRunnerUp(final Strategy strategy) {
        assertEquals(Optional.empty(), placed(strategy, scene.server(3), scene.server(4)).weighing().runnerUp());
    }

    @Test
    void ofManyChoicesTheBestAreKeptAndAllAreCounted() {
        final var wide = new Scene(Topologies.fatTree(8, 1, Rates.equal(RATE)));
        final var servers = IntStream.rangeClosed(1, 8).mapToObj(number -> wide.server(128 - 4 * number)).toList();

        wide.placed(wide.demand(Strategy.JOINT, 1, Scene.pieces(3, servers))).forEach(placed -> {
            assertEquals(List.of(1, 2, 3), placed.together());
            assertTrue(placed.weighing().considered() >= 8 * 16, placed.toString());
            assertEquals(Weighing.KEPT, placed.weighing().alternatives().size());
            assertEquals(Optional.of(placed.expectedRate()), placed.weighing().alternatives().getFirst().rate());
        });
    }

    @Test
    void aMoveTellsWhatTheFlowWouldGetWhereItWas() {
        final var flow = scene.keep(scene.shortest(1, 3).getFirst());

        final var move = scene.placer.review(scene.world(), List.of(new Reviewable(flow, scene.edge(1), scene.edge(3),
            Long.MAX_VALUE, Strategy.JOINT))).getFirst();

        assertEquals(Bandwidth.ofMegabits(40), move.before());
        assertEquals(Optional.of(Bandwidth.ofMegabits(40)), move.weighing().runnerUp().orElseThrow().rate());
        assertEquals(1, move.bottleneck().orElseThrow().flows());
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SinglePathTest {
    private static final Bandwidth RATE = Bandwidth.ofMegabits(100);

    @Test
    void flowsOfOneServerTakeTheOnePathThatGivesMost() {
        final var idle = new Scene(Topologies.leafSpine(2, 3, 1, 1, Rates.equal(RATE)));
        final var paths = idle.shortest(1, 2);
        final var scene = new Scene(idle.fabric, Map.of(
            paths.get(0).links().getFirst().source(), Bandwidth.ofMegabits(30),
            paths.get(2).links().getFirst().source(), Bandwidth.ofMegabits(20)));
        paths.forEach(scene::keep);
        final var moves = together(scene, List.of(2, 2, 2));
        moves.forEach(move -> assertEquals(sources(paths.get(1)), sources(move.forward())));
        assertEquals(RATE.bitsPerSecond(), total(moves).bitsPerSecond(), moves.size(), "the three share one path");
        assertEquals(Bandwidth.ofMegabits(70), moves.getFirst().before());
    }

    @Test
    void flowsOfTwoServersTakeAPathEach() {
        final var scene = new Scene(Topologies.leafSpine(3, 2, 1, 1, Rates.equal(RATE)));
        scene.keep(scene.shortest(1, 2).getFirst());
        scene.keep(scene.shortest(1, 3).getFirst());
        final var moves = together(scene, List.of(2, 3));
        assertEquals(Bandwidth.ofMegabits(200), total(moves), "the two paths share no link");
    }

    @Test
    void withoutAPathThereIsNoAnswer() {
        final var scene = new Scene(Topologies.leafSpine(2, 1, 1, 1, Rates.equal(RATE)));
        scene.keep(scene.shortest(1, 2).getFirst());
        final var cut = new Scene(Topologies.without(scene.fabric, scene.fabric.links()));
        cut.flows.addAll(scene.flows);
        assertEquals(List.of(), together(cut, List.of(2)));
    }

    @Test
    void randomFlowsGetWhatEnumerationFinds() {
        final long seed = System.nanoTime();
        final var random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            final var scene = Scene.random(random, 8);
            final var paths = scene.shortest(1, 2);
            if (paths.size() > 16) {
                continue;
            }
            final var found = total(together(scene, keepAnywhere(scene, paths, random)));
            final double best = paths.stream().mapToDouble(path -> total(scene, path)).max().orElseThrow();
            assertTrue(found.bitsPerSecond() + scene.flows.size() >= best, () -> "seed " + seed);
        }
    }

    /** Places up to four flows between the first two hosts. */
    private static List<Integer> keepAnywhere(final Scene scene, final List<Path> paths, final Random random) {
        final var servers = new ArrayList<Integer>();
        for (int flow = 0; flow <= random.nextInt(4); flow++) {
            scene.keep(paths.get(random.nextInt(paths.size())));
            servers.add(2);
        }
        return servers;
    }

    /** What all flows get together if they take one path. */
    private static double total(final Scene scene, final Path path) {
        final var shares = new FairShares(scene.fabric, scene.background);
        scene.flows.forEach(flow ->
            shares.add(shares.channel(path, new PathFinder(scene.fabric).reversed(path), Optional.empty())));
        return Scene.rates(shares).stream().mapToDouble(Double::doubleValue).sum();
    }

    private static Bandwidth total(final List<Move> moves) {
        return moves.stream().map(Move::after).reduce(Bandwidth.ZERO, Bandwidth::plus);
    }

    private static List<Move> together(final Scene scene, final List<Integer> servers) {
        return scene.placer.together(scene.world(), IntStream.range(0, servers.size()).mapToObj(i -> new Reviewable(
            scene.flows.get(i), scene.edge(1), scene.edge(servers.get(i)), 0, Strategy.JOINT)).toList(), 1);
    }

    private static List<?> sources(final Path path) {
        return path.links().stream().map(Link::source).toList();
    }
}

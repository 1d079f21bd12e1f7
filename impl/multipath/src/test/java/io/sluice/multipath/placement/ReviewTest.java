// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.api.Bandwidth;
import io.sluice.api.Path;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two leaves, two spines: a flow stands on a path with less left than the other has. */
class ReviewTest {
    private static final Scene IDLE =
        new Scene(Topologies.leafSpine(2, 2, 1, 1, Rates.equal(Bandwidth.ofMegabits(100))));
    private static final List<Path> PATHS = IDLE.shortest(1, 2);

    @Test
    void aFlowMovesOnlyForTheLeastGain() {
        assertEquals(List.of(), review(loaded(9), Scene.SETTINGS.holdNs(), Strategy.JOINT));

        final var move = review(loaded(10), Scene.SETTINGS.holdNs(), Strategy.JOINT).getFirst();
        assertEquals(PATHS.getLast().links().getFirst().source(), move.forward().links().getFirst().source());
        assertEquals(Bandwidth.ofMegabits(90), move.before());
        assertEquals(Bandwidth.ofMegabits(100), move.after());
    }

    @Test
    void aFlowStaysForTheHoldTime() {
        assertEquals(List.of(), review(loaded(50), Scene.SETTINGS.holdNs() - 1, Strategy.JOINT));
        assertFalse(review(loaded(50), Scene.SETTINGS.holdNs(), Strategy.JOINT).isEmpty());
    }

    @Test
    void aFlowOfAnotherStrategyStays() {
        assertEquals(List.of(), review(loaded(50), Scene.SETTINGS.holdNs(), Strategy.GREEDY));
    }

    @Test
    void ofTwoFlowsOnOneLinkOneMoves() {
        final var scene = new Scene(IDLE.fabric);
        scene.keep(PATHS.getFirst());
        scene.keep(PATHS.getFirst());
        assertEquals(1, review(scene, Scene.SETTINGS.holdNs(), Strategy.JOINT).size());
    }

    private static Scene loaded(final int megabits) {
        final var scene = new Scene(IDLE.fabric,
            Map.of(PATHS.getFirst().links().getFirst().source(), Bandwidth.ofMegabits(megabits)));
        scene.keep(PATHS.getFirst());
        return scene;
    }

    private static List<Move> review(final Scene scene, final long sinceMoveNs, final Strategy strategy) {
        return scene.placer.review(scene.world(), scene.flows.stream().map(flow ->
            new Reviewable(flow, scene.edge(1), scene.edge(2), sinceMoveNs, strategy)).toList());
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.graph.DisjointAnswer.Found;
import io.sluice.graph.DisjointAnswer.Kind;
import io.sluice.graph.DisjointAnswer.Shared;
import io.sluice.graph.Disjointness.ByGroup;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Shared-risk groups where {@link RiskSearch} gives up, and its limits. */
class RiskPathsTest {
    private static final int SMALL_GRAPHS = 1000;

    @Test
    void theHeuristicIsNeverBetterThanBestAndMostlyAsGood() {
        int asGood = 0;
        int answered = 0;
        for (int seed = 0; seed < SMALL_GRAPHS; seed++) {
            final var random = new Random(seed);
            final var graph = RandomGraphs.multigraph(random, 6, random.nextInt(6, 12), 20);
            final var groups = RandomGraphs.groups(random, graph, 5);
            final var brute = new BruteForce(graph, new ByGroup(groups), 0, 5, 3);
            if (brute.reaches()) {
                final var links = new FlowPaths(graph, ResidualNetwork.ofLinks(graph));
                final var descent = new RiskDescent(graph, new Risks(graph, groups), links, 0, 5);
                final var shared = descent.leastShared(3);
                final var disjoint = descent.disjoint(shared, links.find(0, 5, 3).orElseThrow().disjoint().size());
                assertTrue(shared.sharedUses() >= brute.fewestUses(3), "seed " + seed);
                assertTrue(shared.sharedUses() > brute.fewestUses(3) || shared.cost() >= brute.leastCost(3),
                    "seed " + seed);
                assertEquals(0, disjoint.sharedUses(), "seed " + seed);
                assertTrue(disjoint.paths().size() <= brute.mostDisjoint(), "seed " + seed);
                asGood += shared.sharedUses() == brute.fewestUses(3)
                    && disjoint.paths().size() == brute.mostDisjoint() ? 1 : 0;
                answered++;
            }
        }
        assertTrue(asGood >= answered * 95 / 100, asGood + " of " + answered);
    }

    @Test
    void aLargeGridIsAnsweredByTheHeuristicWhichSaysSo() {
        final int side = 12;
        final var graph = grid(side);
        final var duct = new ByGroup(List.of(Set.of(graph.outArc(0, 0), graph.outArc(0, 1))));

        final var found = (Found) new DisjointPaths(graph).find(duct, 0, side * side - 1, 2);

        assertFalse(found.proven());
        assertEquals(1, found.disjoint().size());
        assertEquals(List.of(new Shared(Kind.GROUP, 0, 2)), found.shared());
    }

    @Test
    void aLargeGridIsProvenWhereLinkDisjointPathsShareNoRisk() {
        final int side = 12;
        final var graph = grid(side);

        final var found = (Found) new DisjointPaths(graph).find(new ByGroup(List.of(Set.of(100, 102))), 0,
            side * side - 1, 2);

        assertTrue(found.proven());
        assertEquals(2, found.disjoint().size());
    }

    @Test
    void theHeuristicLeavesATrapOfLinkDisjointPaths() {
        final int side = 12;
        final var graph = grid(side);
        final var links = new FlowPaths(graph, ResidualNetwork.ofLinks(graph));
        final var cheapest = links.find(0, side * side - 1, 2).orElseThrow().disjoint();
        final var duct = Set.of(cheapest.get(0).arc(5), cheapest.get(1).arc(5));

        final var found = (Found) new DisjointPaths(graph).find(new ByGroup(List.of(duct)), 0, side * side - 1, 2);

        assertEquals(2, found.disjoint().size());
        assertEquals(List.of(), found.shared());
        final var used = new HashSet<Integer>();
        found.disjoint().forEach(path -> {
            for (final int arc : path.arcs()) {
                assertTrue(used.add(duct.contains(arc) ? -1 : graph.link(arc)), path.toString());
            }
        });
    }

    @Test
    void enumerationStopsAtItsLimits() {
        final var graph = grid(3);

        assertEquals(12, SimplePaths.between(graph, 0, 8, 12, 1000).orElseThrow().size());
        assertTrue(SimplePaths.between(graph, 0, 8, 11, 1000).isEmpty());
        assertTrue(SimplePaths.between(graph, 0, 8, 12, 20).isEmpty());
    }

    /** A square of side * side vertices with cables to the right and below, of pseudo-random costs. */
    private static Multigraph grid(final int side) {
        final var random = new Random(side);
        final var graph = Multigraph.builder(side * side);
        for (int vertex = 0; vertex < side * side; vertex++) {
            if (vertex % side < side - 1) {
                graph.cable(vertex, vertex + 1, random.nextInt(1, 100));
            }
            if (vertex / side < side - 1) {
                graph.cable(vertex, vertex + side, random.nextInt(1, 100));
            }
        }
        return graph.build();
    }
}

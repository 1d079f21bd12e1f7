// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShortestPathDagTest {
    private static final int GRAPHS = 2000;

    @Test
    void allShortestPathsOfSmallGraphsAreFound() {
        for (int seed = 0; seed < GRAPHS; seed++) {
            final var random = new Random(seed);
            final int vertices = random.nextInt(2, 7);
            final var graph = positive(RandomGraphs.multigraph(random, vertices, random.nextInt(1, 12), 3));
            final var dag = ShortestPathDag.towards(graph, 0);
            for (int source = 1; source < vertices; source++) {
                final var shortest = shortest(graph, source);
                final var where = "seed " + seed + ", from " + source;
                assertEquals(shortest, dag.paths(source, Integer.MAX_VALUE), where);
                assertEquals(shortest.size(), dag.count(source), where);
                assertEquals(shortest.stream().mapToLong(ArcPath::cost).findFirst(), dag.distance(source), where);
                assertEquals(shortest.stream().findFirst(), dag.path(source), where);
                assertArrayEquals(shortest.stream().mapToInt(path -> path.arc(0)).distinct().toArray(),
                    dag.nextArcs(source), where);
            }
        }
    }

    @Test
    void zeroCostsNeverLeadInCircles() {
        for (int seed = 0; seed < GRAPHS; seed++) {
            final var random = new Random(seed);
            final int vertices = random.nextInt(2, 7);
            final var graph = RandomGraphs.multigraph(random, vertices, random.nextInt(1, 12), 1);
            final var dag = ShortestPathDag.towards(graph, 0);
            for (int source = 1; source < vertices; source++) {
                final var shortest = shortest(graph, source);
                final var found = dag.paths(source, Integer.MAX_VALUE);
                assertEquals(shortest.isEmpty(), found.isEmpty(), "seed " + seed);
                assertTrue(shortest.containsAll(found), "seed " + seed);
            }
        }
    }

    @Test
    void hashesSpreadOverAllPaths() {
        final var graph = Multigraph.builder(3);
        graph.cable(0, 1, 1);
        graph.cable(0, 1, 1);
        graph.cable(1, 2, 1);
        graph.cable(1, 2, 1);
        graph.cable(1, 2, 1);
        final var dag = ShortestPathDag.towards(graph.build(), 2);

        final var users = new HashMap<ArcPath, Integer>();
        for (long hash = -300; hash < 300; hash++) {
            users.merge(dag.path(0, hash).orElseThrow(), 1, Integer::sum);
        }

        assertEquals(6, users.size());
        assertTrue(users.values().stream().allMatch(count -> Math.abs(count - 100) <= 1), users.toString());
        assertEquals(4, dag.paths(0, 4).size());
    }

    @Test
    void aCountTooLargeStopsAtTheLargestNumber() {
        final int steps = 70;
        final var graph = Multigraph.builder(steps + 1);
        for (int vertex = 0; vertex < steps; vertex++) {
            graph.arc(vertex, vertex + 1, 1);
            graph.arc(vertex, vertex + 1, 1);
        }
        final var dag = ShortestPathDag.towards(graph.build(), steps);

        assertEquals(Long.MAX_VALUE, dag.count(0));
        assertEquals(1L << 62, dag.count(steps - 62));
        assertEquals(steps, dag.path(0, -1).orElseThrow().length());
    }

    @Test
    void whatIsNotReachedHasNoPath() {
        final var dag = ShortestPathDag.towards(Multigraph.builder(2).build(), 1);

        assertEquals(OptionalLong.empty(), dag.distance(0));
        assertEquals(Optional.empty(), dag.path(0));
        assertEquals(0, dag.count(0));
        assertEquals(List.of(), dag.paths(0, 1));
        assertEquals(OptionalLong.of(0), dag.distance(1));
    }

    private static Multigraph positive(final Multigraph graph) {
        final var costs = new long[graph.arcCount()];
        Arrays.setAll(costs, arc -> graph.cost(arc) + 1);
        return graph.withCosts(costs);
    }

    /** All shortest paths to vertex 0, in order of arc ids. */
    private static List<ArcPath> shortest(final Multigraph graph, final int source) {
        final var paths = BruteForce.paths(graph, source, 0).stream()
            .map(arcs -> ArcPath.of(graph, arcs.stream().mapToInt(Integer::intValue).toArray())).sorted().toList();
        return paths.stream().filter(path -> path.cost() == paths.get(0).cost()).toList();
    }
}

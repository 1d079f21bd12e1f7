// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.graph.DisjointAnswer.Found;
import io.sluice.graph.DisjointAnswer.Shared;
import io.sluice.graph.DisjointAnswer.Unreachable;
import io.sluice.graph.Disjointness.ByGroup;
import io.sluice.graph.Disjointness.ByLink;
import io.sluice.graph.Disjointness.ByNode;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jgrapht.Graph;
import org.jgrapht.alg.shortestpath.SuurballeKDisjointShortestPaths;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;
import org.junit.jupiter.api.Test;

/** {@link DisjointPaths} against {@link BruteForce} and JGraphT. */
class DisjointPathsOracleTest {
    private static final int SMALL_GRAPHS = 10_000;
    private static final int LARGER_GRAPHS = 400;

    @Test
    void smallMultigraphsAgreeWithBruteForceAndJGraphT() {
        for (int seed = 0; seed < SMALL_GRAPHS; seed++) {
            final var random = new Random(seed);
            final int vertices = random.nextInt(2, 7);
            final var graph = RandomGraphs.multigraph(random, vertices, random.nextInt(1, 11),
                random.nextBoolean() ? 3 : 20);
            final int source = random.nextInt(vertices);
            final int target = (source + random.nextInt(1, vertices)) % vertices;
            final int k = random.nextInt(1, 4);
            final var finder = new DisjointPaths(graph);
            for (final var disjointness : List.of(new ByLink(), new ByNode(),
                    new ByGroup(RandomGraphs.groups(random, graph, 4)))) {
                check("seed " + seed + ", " + disjointness, graph, finder, disjointness, source, target, k);
            }
            checkAgainst("seed " + seed + " by link", subdivided(graph), source, target, k, graph,
                finder.find(new ByLink(), source, target, k));
            checkAgainst("seed " + seed + " by node", split(graph), source * 2 + 1, target * 2, k, graph,
                finder.find(new ByNode(), source, target, k));
        }
    }

    private static void check(final String where, final Multigraph graph, final DisjointPaths finder,
            final Disjointness disjointness, final int source, final int target, final int k) {
        final var brute = new BruteForce(graph, disjointness, source, target, k);
        final var answer = finder.find(disjointness, source, target, k);
        if (!brute.reaches()) {
            assertEquals(new Unreachable(source, target), answer, where);
            return;
        }
        final var found = assertInstanceOf(Found.class, answer, where);
        final int most = brute.mostDisjoint();
        assertTrue(found.proven(), where);
        assertEquals(most, found.disjoint().size(), where);
        assertEquals(brute.leastCost(most), cost(found.disjoint()), where);
        assertEquals(k, found.leastShared().size(), where);
        assertEquals(brute.leastCost(k), cost(found.leastShared()), where);
        assertEquals(brute.fewestUses(k), found.shared().stream().mapToInt(Shared::paths).map(n -> n - 1).sum(),
            where);
        for (final var paths : List.of(found.disjoint(), found.leastShared())) {
            assertEquals(paths.stream().sorted().toList(), paths, where);
            paths.forEach(path -> checkPath(where, graph, path, source, target));
        }
    }

    private static void checkPath(final String where, final Multigraph graph, final ArcPath path, final int source,
            final int target) {
        final var vertices = new HashSet<Integer>();
        int vertex = source;
        for (final int arc : path.arcs()) {
            assertEquals(vertex, graph.tail(arc), where);
            assertTrue(vertices.add(vertex), where + ": " + path + " has a circle");
            vertex = graph.head(arc);
        }
        assertEquals(target, vertex, where);
    }

    @Test
    void largerMultigraphsAgreeWithJGraphT() {
        for (int seed = 0; seed < LARGER_GRAPHS; seed++) {
            final var random = new Random(seed);
            final int vertices = random.nextInt(10, 40);
            final var graph = RandomGraphs.multigraph(random, vertices, vertices * 3, seed % 2 == 0 ? 5 : 1000);
            final int target = vertices - 1;
            final int k = random.nextInt(1, 7);
            final var finder = new DisjointPaths(graph);
            checkAgainst("seed " + seed + " by link", subdivided(graph), 0, target, k, graph,
                finder.find(new ByLink(), 0, target, k));
            checkAgainst("seed " + seed + " by node", split(graph), 1, target * 2, k, graph,
                finder.find(new ByNode(), 0, target, k));
        }
    }

    /**
     * Compares number and cost of paths; {@code plain} has a vertex for each arc, the last ones. JGraphT 1.5.2 changes
     * the weights of the graph that it is given (seed 93 by link), so the costs are the multigraph's.
     */
    private static void checkAgainst(final String where, final Graph<Integer, DefaultWeightedEdge> plain,
            final int source, final int target, final int k, final Multigraph graph, final DisjointAnswer answer) {
        final var expected = new SuurballeKDisjointShortestPaths<>(plain).getPaths(source, target, k);
        final var paths = answer instanceof Found found ? found.disjoint() : List.<ArcPath>of();
        final int firstArc = plain.vertexSet().size() - graph.arcCount();
        assertEquals(expected.size(), paths.size(), where);
        assertEquals(expected.stream().flatMap(path -> path.getVertexList().stream())
            .filter(vertex -> vertex >= firstArc).mapToLong(vertex -> graph.cost(vertex - firstArc)).sum(),
            cost(paths), where);
    }

    @Test
    void anAnswerDoesNotDependOnEarlierQuestions() {
        final long seed = 5;
        final var random = new Random(seed);
        final var graph = RandomGraphs.multigraph(random, 40, 120, 3);
        final var used = new DisjointPaths(graph);
        for (int question = 0; question < 200; question++) {
            final int source = random.nextInt(39);
            for (final var disjointness : List.of(new ByLink(), new ByNode())) {
                assertEquals(new DisjointPaths(graph).find(disjointness, source, 39, 4),
                    used.find(disjointness, source, 39, 4), "seed " + seed + ", question " + question);
            }
        }
    }

    private static long cost(final List<ArcPath> paths) {
        return paths.stream().mapToLong(ArcPath::cost).sum();
    }

    /** Each arc becomes two with a vertex between them, as JGraphT refuses parallel arcs. */
    private static Graph<Integer, DefaultWeightedEdge> subdivided(final Multigraph graph) {
        final var plain = new SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge>(DefaultWeightedEdge.class);
        IntStream.range(0, graph.vertexCount() + graph.arcCount()).forEach(plain::addVertex);
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            addSubdivided(plain, graph.tail(arc), graph.head(arc), graph.vertexCount() + arc, graph.cost(arc));
        }
        return plain;
    }

    /** Vertex v becomes 2v, where arcs enter, and 2v + 1, where they leave. */
    private static Graph<Integer, DefaultWeightedEdge> split(final Multigraph graph) {
        final var plain = new SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge>(DefaultWeightedEdge.class);
        final int vertices = graph.vertexCount() * 2;
        IntStream.range(0, vertices + graph.arcCount()).forEach(plain::addVertex);
        for (int vertex = 0; vertex < vertices; vertex += 2) {
            plain.setEdgeWeight(plain.addEdge(vertex, vertex + 1), 0);
        }
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            addSubdivided(plain, graph.tail(arc) * 2 + 1, graph.head(arc) * 2, vertices + arc, graph.cost(arc));
        }
        return plain;
    }

    private static void addSubdivided(final Graph<Integer, DefaultWeightedEdge> plain, final int tail, final int head,
            final int between, final long cost) {
        plain.setEdgeWeight(plain.addEdge(tail, between), cost);
        plain.setEdgeWeight(plain.addEdge(between, head), 0);
    }
}

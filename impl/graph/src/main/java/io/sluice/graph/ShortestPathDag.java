// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * All shortest paths from everywhere to one target: the arcs over which equal-cost multipath forwards. Immutable.
 *
 * <p>An arc belongs to it if it lies on a shortest path to the target. Arcs of cost zero could close circles; they
 * belong to it only where they also lead to a vertex from which a shortest path of fewer arcs leaves.
 */
public final class ShortestPathDag {
    private static final long UNREACHED = Long.MAX_VALUE;

    private final Multigraph graph;
    private final int target;
    private final long[] distances;
    /** Fewest arcs of a shortest path from each vertex that has one. */
    private final int[] hops;
    private final int[] byHops;
    private final long[] counts;

    private ShortestPathDag(final Multigraph graph, final int target) {
        this.graph = graph;
        this.target = target;
        distances = distances(graph, target);
        hops = new int[graph.vertexCount()];
        byHops = orderByHops();
        counts = countPaths();
    }

    /** The shortest paths in {@code graph} to {@code target}. */
    public static ShortestPathDag towards(final Multigraph graph, final int target) {
        return new ShortestPathDag(graph, target);
    }

    /** Cost of the shortest paths from {@code source}; empty if there are none. */
    public OptionalLong distance(final int source) {
        return distances[source] == UNREACHED ? OptionalLong.empty() : OptionalLong.of(distances[source]);
    }

    /** Number of shortest paths from {@code source}, with {@link Long#MAX_VALUE} for that many or more. */
    public long count(final int source) {
        return counts[source];
    }

    /** Arcs by which shortest paths leave {@code vertex}, ids ascending. */
    public int[] nextArcs(final int vertex) {
        return IntStream.range(0, graph.outDegree(vertex)).map(i -> graph.outArc(vertex, i)).filter(this::contains)
            .toArray();
    }

    /** The first shortest path from {@code source} in order of arc ids; empty if there is none. */
    public Optional<ArcPath> path(final int source) {
        return path(source, 0);
    }

    /** One shortest path from {@code source}; evenly spread hashes spread evenly over the paths. */
    public Optional<ArcPath> path(final int source, final long hash) {
        return counts[source] == 0 ? Optional.empty()
            : Optional.of(pathAt(source, Long.remainderUnsigned(hash, counts[source])));
    }

    /** The shortest paths from {@code source} in order of arc ids, the first {@code limit} of them. */
    public List<ArcPath> paths(final int source, final int limit) {
        return LongStream.range(0, Math.min(limit, counts[source])).mapToObj(index -> pathAt(source, index)).toList();
    }

    private boolean contains(final int arc) {
        final int tail = graph.tail(arc);
        final int head = graph.head(arc);
        return isTight(arc) && (graph.cost(arc) > 0 || hops[head] < hops[tail]);
    }

    private boolean isTight(final int arc) {
        final long beyond = distances[graph.head(arc)];
        return beyond != UNREACHED && distances[graph.tail(arc)] == beyond + graph.cost(arc);
    }

    private ArcPath pathAt(final int source, final long index) {
        final var arcs = new IntStack();
        long rest = index;
        for (int vertex = source; vertex != target;) {
            for (final int arc : nextArcs(vertex)) {
                final int head = graph.head(arc);
                if (rest < counts[head]) {
                    arcs.push(arc);
                    vertex = head;
                    break;
                }
                rest -= counts[head];
            }
        }
        return ArcPath.of(graph, arcs.toArray());
    }

    private static long[] distances(final Multigraph graph, final int target) {
        final var distances = new long[graph.vertexCount()];
        Arrays.fill(distances, UNREACHED);
        distances[target] = 0;
        final var heap = new VertexHeap();
        heap.push(0, target);
        while (!heap.isEmpty()) {
            final long distance = heap.minKey();
            final int vertex = heap.minVertex();
            heap.removeMin();
            if (distance == distances[vertex]) {
                for (int i = 0; i < graph.inDegree(vertex); i++) {
                    final int arc = graph.inArc(vertex, i);
                    final long longer = distance + graph.cost(arc);
                    if (longer < distances[graph.tail(arc)]) {
                        distances[graph.tail(arc)] = longer;
                        heap.push(longer, graph.tail(arc));
                    }
                }
            }
        }
        return distances;
    }

    /** Fills {@link #hops}; returns the vertices that reach the target, fewest hops first. */
    private int[] orderByHops() {
        final var order = new IntStack();
        final var seen = new boolean[graph.vertexCount()];
        seen[target] = true;
        order.push(target);
        for (int next = 0; next < order.size(); next++) {
            final int vertex = order.get(next);
            for (int i = 0; i < graph.inDegree(vertex); i++) {
                final int arc = graph.inArc(vertex, i);
                final int tail = graph.tail(arc);
                if (!seen[tail] && isTight(arc)) {
                    seen[tail] = true;
                    hops[tail] = hops[vertex] + 1;
                    order.push(tail);
                }
            }
        }
        return order.toArray();
    }

    /** Adds up from the target outwards: each arc leads to a vertex that is nearer, or as near in fewer hops. */
    private long[] countPaths() {
        final var paths = new long[graph.vertexCount()];
        final var order = new ArrayList<>(Arrays.stream(byHops).boxed().toList());
        order.sort(Comparator.comparingLong(vertex -> distances[vertex]));
        for (final int vertex : order) {
            long sum = vertex == target ? 1 : 0;
            for (final int arc : nextArcs(vertex)) {
                final long more = paths[graph.head(arc)];
                sum = sum > Long.MAX_VALUE - more ? Long.MAX_VALUE : sum + more;
            }
            paths[vertex] = sum;
        }
        return paths;
    }
}

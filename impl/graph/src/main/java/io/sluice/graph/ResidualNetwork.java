// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A flow of whole units from a source to a target and what may still be changed about it. Every link is a pair of
 * <em>halves</em>, one from each end; {@code mates} leads from one to the other. A half carries any number of units,
 * but not while its mate carries some: a unit sent against the flow takes a unit away instead. So a cable never carries
 * flow both ways, and a lone arc has a mate that can carry nothing.
 *
 * <p>The cost of the next unit over a half never falls as units are added: the first unit of a <em>counted</em> half
 * pays the cost of its arc and each further one pays a surcharge on top. A surcharge above the cost of all paths
 * together makes the cheapest flow the one that shares least. Costs that are convex in this way keep successive
 * shortest paths exact (Ahuja, Magnanti, Orlin: Network Flows, 1993, sections 9.7 and 14.5).
 *
 * <p>Counted are, by link, all halves; by node, the inner half that joins the entry of a vertex to its exit, and the
 * links from source straight to target, which meet no inner half.
 */
final class ResidualNetwork {
    /** Cost of a half that can't carry a unit: above every cost of a path (2^58), and sums stay below 2^63. */
    static final long NO_CAPACITY = 1L << 61;

    /** In place of an arc: nothing goes over this half. */
    private static final int NO_ARC = -1;
    /** In place of an arc: this half leads from the entry of a vertex to its exit. */
    private static final int INNER = -2;

    /** Halves from vertex v are starts[v] until starts[v + 1]. */
    final int[] starts;
    final int[] heads;
    final int[] mates;
    /** Cost of sending the next unit over a half, read from its tail. */
    final long[] outCosts;
    /** The same of its mate: cost of sending the next unit into the tail of the half. */
    final long[] inCosts;

    private final Multigraph graph;
    private final int verticesPerNode;
    private final int[] arcs;
    private final long[] ownCosts;
    private final int[] units;
    private final IntStack touched = new IntStack();
    private final IntStack taken = new IntStack();
    private final IntStack trail = new IntStack();
    private final int[] trailPosition;

    private int source;
    private int target;
    private long surcharge;

    private ResidualNetwork(final Multigraph graph, final int verticesPerNode, final Edges edges) {
        this.graph = graph;
        this.verticesPerNode = verticesPerNode;
        final int vertices = graph.vertexCount() * verticesPerNode;
        final int halves = edges.count * 2;
        starts = edges.starts(vertices);
        heads = new int[halves];
        mates = new int[halves];
        arcs = new int[halves];
        ownCosts = new long[halves];
        edges.fill(this);
        outCosts = ownCosts.clone();
        inCosts = new long[halves];
        Arrays.setAll(inCosts, half -> ownCosts[mates[half]]);
        units = new int[halves];
        trailPosition = new int[vertices];
        Arrays.fill(trailPosition, -1);
    }

    /** The network in which sharing a link costs. */
    static ResidualNetwork ofLinks(final Multigraph graph) {
        final var edges = new Edges(graph.arcCount());
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            final int twin = graph.twin(arc);
            if (graph.link(arc) == arc) {
                edges.add(graph.tail(arc), graph.head(arc), arc, twin == Multigraph.NONE ? NO_ARC : twin);
            }
        }
        return new ResidualNetwork(graph, 1, edges);
    }

    /** The network in which each vertex is an entry and an exit, and sharing the way between them costs. */
    static ResidualNetwork ofNodes(final Multigraph graph) {
        final var edges = new Edges(graph.arcCount() + graph.vertexCount());
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            edges.add(vertex * 2, vertex * 2 + 1, INNER, NO_ARC);
        }
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            edges.add(graph.tail(arc) * 2 + 1, graph.head(arc) * 2, arc, NO_ARC);
        }
        return new ResidualNetwork(graph, 2, edges);
    }

    int vertexCount() {
        return starts.length - 1;
    }

    /** Vertex at which a path enters graph vertex {@code vertex}. */
    int entry(final int vertex) {
        return vertex * verticesPerNode;
    }

    /** Vertex at which a path leaves graph vertex {@code vertex}. */
    int exit(final int vertex) {
        return vertex * verticesPerNode + verticesPerNode - 1;
    }

    /** Forgets all flow; the next units go between these graph vertices. */
    void begin(final int from, final int to, final long newSurcharge) {
        while (!touched.isEmpty()) {
            final int half = touched.pop();
            units[half] = 0;
            outCosts[half] = ownCosts[half];
            inCosts[mates[half]] = ownCosts[half];
        }
        source = exit(from);
        target = entry(to);
        surcharge = newSurcharge;
    }

    int source() {
        return source;
    }

    int target() {
        return target;
    }

    /** Sends one unit over {@code half}, which has the capacity. */
    void push(final int half) {
        final int mate = mates[half];
        if (units[mate] > 0) {
            units[mate]--;
        } else {
            units[half]++;
        }
        refresh(half, mate);
        refresh(mate, half);
    }

    private void refresh(final int half, final int mate) {
        final long cost = units[mate] > 0 ? -unitCost(mate, units[mate]) : unitCost(half, units[half] + 1);
        outCosts[half] = cost;
        inCosts[mate] = cost;
        touched.push(half);
    }

    private long unitCost(final int half, final int unit) {
        return unit > 1 && isCounted(half) ? ownCosts[half] + surcharge : ownCosts[half];
    }

    private boolean isCounted(final int half) {
        return verticesPerNode == 1 || arcs[half] == INNER
            || heads[mates[half]] == source && heads[half] == target;
    }

    /** The flow as paths, cheapest first; flow in circles, which costs nothing in a cheapest flow, is left out. */
    List<ArcPath> paths() {
        final var paths = new ArrayList<ArcPath>();
        while (hasUnitFrom(source)) {
            paths.add(takePath());
        }
        while (!taken.isEmpty()) {
            units[taken.pop()]++;
        }
        paths.sort(null);
        return List.copyOf(paths);
    }

    private boolean hasUnitFrom(final int vertex) {
        for (int half = starts[vertex]; half < starts[vertex + 1]; half++) {
            if (units[half] > 0) {
                return true;
            }
        }
        return false;
    }

    /** Follows units from source to target; a trail that meets itself drops the circle. */
    private ArcPath takePath() {
        int vertex = source;
        trailPosition[source] = 0;
        while (vertex != target) {
            final int half = takeUnit(vertex);
            vertex = heads[half];
            if (trailPosition[vertex] >= 0) {
                while (trail.size() > trailPosition[vertex]) {
                    trailPosition[heads[trail.pop()]] = -1;
                }
            } else {
                trail.push(half);
                trailPosition[vertex] = trail.size();
            }
        }
        return endTrail();
    }

    private int takeUnit(final int vertex) {
        int half = starts[vertex];
        while (units[half] == 0) {
            half++;
        }
        units[half]--;
        taken.push(half);
        return half;
    }

    private ArcPath endTrail() {
        final var path = new int[trail.size()];
        int first = path.length;
        trailPosition[source] = -1;
        while (!trail.isEmpty()) {
            final int half = trail.pop();
            trailPosition[heads[half]] = -1;
            if (arcs[half] >= 0) {
                path[--first] = arcs[half];
            }
        }
        return ArcPath.of(graph, Arrays.copyOfRange(path, first, path.length));
    }

    /** Links to be, each with the arc of its two directions. */
    private static final class Edges {
        private final int[] ends;
        private final int[] arcs;
        private int count;

        Edges(final int capacity) {
            ends = new int[capacity * 2];
            arcs = new int[capacity * 2];
        }

        void add(final int tail, final int head, final int arcThere, final int arcBack) {
            ends[count * 2] = tail;
            ends[count * 2 + 1] = head;
            arcs[count * 2] = arcThere;
            arcs[count * 2 + 1] = arcBack;
            count++;
        }

        int[] starts(final int vertices) {
            final var starts = new int[vertices + 1];
            for (int end = 0; end < count * 2; end++) {
                starts[ends[end] + 1]++;
            }
            Arrays.parallelPrefix(starts, Integer::sum);
            return starts;
        }

        void fill(final ResidualNetwork network) {
            final var next = network.starts.clone();
            for (int edge = 0; edge < count; edge++) {
                final int there = next[ends[edge * 2]]++;
                final int back = next[ends[edge * 2 + 1]]++;
                network.join(there, back, ends[edge * 2 + 1], arcs[edge * 2]);
                network.join(back, there, ends[edge * 2], arcs[edge * 2 + 1]);
            }
        }
    }

    private void join(final int half, final int mate, final int head, final int arc) {
        heads[half] = head;
        mates[half] = mate;
        arcs[half] = arc;
        ownCosts[half] = switch (arc) {
            case NO_ARC -> NO_CAPACITY;
            case INNER -> 0;
            default -> graph.cost(arc);
        };
    }
}

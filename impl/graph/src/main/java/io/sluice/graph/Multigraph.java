// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.Arrays;

/**
 * A directed graph in which parallel arcs are distinct. Vertices are 0..{@link #vertexCount()}-1, arcs are
 * 0..{@link #arcCount()}-1 in the order in which they were added. Immutable.
 *
 * <p>A <em>link</em> is what two paths must not share: a cable, that is an arc and its {@link #twin} in the other
 * direction, or a lone arc. Two paths that use a cable in opposite directions share it. An optimum never needs that:
 * if p = p1 (u,v) p2 and q = q1 (v,u) q2, then p1 q2 and q1 p2 are two paths with the same ends that cost no more and
 * leave the cable alone.
 */
public final class Multigraph {
    /** What {@link #twin} answers for an arc that has none. */
    public static final int NONE = -1;

    private static final long MAX_PATH_COST = 1L << 56;

    private final int[] tails;
    private final int[] heads;
    private final int[] twins;
    private final long[] costs;
    private final Incidence out;
    private final Incidence in;
    private final long maxCost;

    private Multigraph(final Multigraph structure, final long[] costs) {
        tails = structure.tails;
        heads = structure.heads;
        twins = structure.twins;
        out = structure.out;
        in = structure.in;
        this.costs = costs;
        maxCost = checkCosts(costs, vertexCount());
    }

    private Multigraph(final Builder builder) {
        tails = Arrays.copyOf(builder.tails, builder.arcs);
        heads = Arrays.copyOf(builder.heads, builder.arcs);
        twins = Arrays.copyOf(builder.twins, builder.arcs);
        costs = Arrays.copyOf(builder.costs, builder.arcs);
        out = Incidence.of(builder.vertices, tails);
        in = Incidence.of(builder.vertices, heads);
        maxCost = checkCosts(costs, builder.vertices);
    }

    /** Starts a graph of {@code vertices} vertices and no arc. */
    public static Builder builder(final int vertices) {
        return new Builder(vertices);
    }

    /** This graph with {@code newCosts[arc]} as costs, in the range that {@link Builder#arc} states. */
    public Multigraph withCosts(final long[] newCosts) {
        if (newCosts.length != arcCount()) {
            throw new IllegalArgumentException(newCosts.length + " costs for " + arcCount() + " arcs");
        }
        return new Multigraph(this, newCosts.clone());
    }

    public int vertexCount() {
        return out.start.length - 1;
    }

    public int arcCount() {
        return tails.length;
    }

    public int tail(final int arc) {
        return tails[arc];
    }

    public int head(final int arc) {
        return heads[arc];
    }

    public long cost(final int arc) {
        return costs[arc];
    }

    /** The other direction of the cable, or {@link #NONE}. */
    public int twin(final int arc) {
        return twins[arc];
    }

    /** Name of the link that {@code arc} belongs to: the smaller arc id of the cable, or the arc's own. */
    public int link(final int arc) {
        return twins[arc] == NONE ? arc : Math.min(arc, twins[arc]);
    }

    public int outDegree(final int vertex) {
        return out.degree(vertex);
    }

    /** The arc that leaves {@code vertex} at position {@code index}; ids grow with the index. */
    public int outArc(final int vertex, final int index) {
        return out.arc(vertex, index);
    }

    public int inDegree(final int vertex) {
        return in.degree(vertex);
    }

    /** The arc that enters {@code vertex} at position {@code index}; ids grow with the index. */
    public int inArc(final int vertex, final int index) {
        return in.arc(vertex, index);
    }

    /** Largest cost of an arc; 0 in a graph without arcs. */
    long maxCost() {
        return maxCost;
    }

    private static long checkCosts(final long[] costs, final int vertices) {
        long max = 0;
        for (final long cost : costs) {
            if (cost < 0 || cost > MAX_PATH_COST / vertices) {
                throw new IllegalArgumentException("cost " + cost + " is not in 0.." + MAX_PATH_COST / vertices);
            }
            max = Math.max(max, cost);
        }
        return max;
    }

    /** Arcs grouped by one of their ends (compressed sparse rows). */
    private record Incidence(int[] start, int[] arcs) {
        static Incidence of(final int vertices, final int[] ends) {
            final var start = new int[vertices + 1];
            for (final int end : ends) {
                start[end + 1]++;
            }
            Arrays.parallelPrefix(start, Integer::sum);
            final var next = start.clone();
            final var arcs = new int[ends.length];
            for (int arc = 0; arc < ends.length; arc++) {
                arcs[next[ends[arc]]++] = arc;
            }
            return new Incidence(start, arcs);
        }

        int degree(final int vertex) {
            return start[vertex + 1] - start[vertex];
        }

        int arc(final int vertex, final int index) {
            if (index < 0 || index >= degree(vertex)) {
                throw new IndexOutOfBoundsException(index + " of " + degree(vertex) + " arcs at vertex " + vertex);
            }
            return arcs[start[vertex] + index];
        }
    }

    /** Collects arcs. */
    public static final class Builder {
        private final int vertices;
        private int arcs;
        private int[] tails = new int[16];
        private int[] heads = new int[16];
        private int[] twins = new int[16];
        private long[] costs = new long[16];

        private Builder(final int vertices) {
            if (vertices < 0) {
                throw new IllegalArgumentException("a graph of " + vertices + " vertices");
            }
            this.vertices = vertices;
        }

        /**
         * Adds an arc that has no other direction.
         *
         * @param cost 0..2^56 / number of vertices, so that no path cost runs over
         * @return id of the arc
         */
        public int arc(final int tail, final int head, final long cost) {
            if (tail < 0 || tail >= vertices || head < 0 || head >= vertices) {
                throw new IllegalArgumentException("arc " + tail + "->" + head + " in a graph of " + vertices
                    + " vertices");
            }
            if (arcs == tails.length) {
                grow();
            }
            tails[arcs] = tail;
            heads[arcs] = head;
            twins[arcs] = NONE;
            costs[arcs] = cost;
            return arcs++;
        }

        /**
         * Adds a cable, two arcs that cost {@code cost} each.
         *
         * @return id of the arc from {@code a} to {@code b}; the arc back has the next id
         */
        public int cable(final int a, final int b, final long cost) {
            return cable(a, b, cost, cost);
        }

        /** Adds a cable whose directions differ in cost; see {@link #cable(int, int, long)}. */
        public int cable(final int a, final int b, final long costThere, final long costBack) {
            final int there = arc(a, b, costThere);
            final int back = arc(b, a, costBack);
            twins[there] = back;
            twins[back] = there;
            return there;
        }

        /** The graph of what was added so far. */
        public Multigraph build() {
            return new Multigraph(this);
        }

        private void grow() {
            final int size = arcs * 2;
            tails = Arrays.copyOf(tails, size);
            heads = Arrays.copyOf(heads, size);
            twins = Arrays.copyOf(twins, size);
            costs = Arrays.copyOf(costs, size);
        }
    }
}

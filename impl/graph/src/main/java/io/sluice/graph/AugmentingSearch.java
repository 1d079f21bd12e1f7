// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.Arrays;

/**
 * Finds the cheapest way for one more unit through a {@link ResidualNetwork}, by Dijkstra's algorithm from both ends on
 * costs reduced by potentials: c'(u,v) = c(u,v) + p(u) - p(v).
 *
 * <p><b>Invariant</b>: c' >= 0 for every half between vertices that are not blocked, before and after {@link #find} and
 * {@link #push}.
 *
 * <p><b>Stop.</b> Let mu be the length of the best way found so far, and topF, topB the labels that the two searches
 * would settle next. A way that was not found has a vertex that neither search has settled, or is cut short below, so
 * once topF + topB >= mu it is no shorter than mu. A new forward label x of a vertex is not pursued if x + topB >= mu,
 * or if x + y >= mu for a backward label y < topB of the same vertex, which is final: no way through it is shorter than
 * mu. In both cases x + topB >= mu. The smallest such x is kept as leftOutF. (Backwards alike, here and below.)
 *
 * <p>The way that is found passes no vertex twice, even where circles cost nothing: if the two halves of the way to and
 * from the meeting vertex had a vertex in common, it would have been labelled from both sides before the meeting was
 * noted, with the same length, and a meeting gives way only to a shorter one.
 *
 * <p><b>Potentials.</b> Let tF = min(topF, leftOutF) and tB = min(topB, leftOutB). Then tF + tB >= mu: topF + topB is,
 * by the stop; leftOutF + topB is, as topB only grows and mu only falls; and of two labels x and y left out, y is the
 * label of a neighbour of a vertex settled at topB, so if it came later it is no less than topB was when x was left
 * out. Let rF = min(tF, mu) and rB = mu - rF, so that rB <= tB. Every vertex whose true distance dF is below rF has it
 * as its label, because no label on the way to it was left out; others have dF >= rF. The update is
 * <pre>
 *     p(v) += (min(dF(v), rF) - rF) + (rB - min(dB(v), rB))
 * </pre>
 * which changes only vertices labelled below rF or rB. It keeps the invariant: for a half (u,v) it lowers c' by
 * <pre>
 *     [min(dF(v), rF) - min(dF(u), rF)] + [min(dB(u), rB) - min(dB(v), rB)]
 * </pre>
 * Each bracket is at most c'(u,v), as distances obey dF(v) <= dF(u) + c' and dB(u) <= dB(v) + c'. If only one bracket
 * is positive that is enough. If both are, then dF(u) < rF and dB(v) < rB, and their sum is at most
 * rF - dF(u) + rB - dB(v) = mu - dF(u) - dB(v) <= c'(u,v), since mu is the shortest length. Along a shortest way the
 * brackets add up to rF + rB = mu, the sum of its c', so each of its halves ends with c' = 0.
 *
 * <p>A unit sent over a half with c' = 0 opens its mate at c' = 0, and raises its own next cost or leaves it (costs are
 * convex): the invariant holds after {@link #push} too. At the start all p = 0 and no cost is negative.
 */
final class AugmentingSearch {
    /** Above every length of a way that exists, below those over a half without capacity. */
    private static final long NO_WAY = 1L << 60;
    private static final int FORWARD = 1;
    private static final int BACKWARD = -1;

    private final ResidualNetwork network;
    private final long[] potentials;
    private final Frontier forward;
    private final Frontier backward;
    private final IntStack way = new IntStack();

    private long bestLength;
    private int meeting;

    AugmentingSearch(final ResidualNetwork network) {
        this.network = network;
        potentials = new long[network.vertexCount()];
        forward = new Frontier(network.vertexCount());
        backward = new Frontier(network.vertexCount());
    }

    /** Keeps ways away from {@code vertex} until {@link #unblock}. */
    void block(final int vertex) {
        forward.block(vertex);
        backward.block(vertex);
    }

    void unblock(final int vertex) {
        forward.unblock(vertex);
        backward.unblock(vertex);
    }

    /** Forgets the potentials, for a network without flow. */
    void begin() {
        Arrays.fill(potentials, 0);
    }

    /** Looks for the cheapest way; returns false if there is none at all. */
    boolean find() {
        bestLength = NO_WAY;
        forward.begin(network.source());
        backward.begin(network.target());
        long topForward = 0;
        long topBackward = 0;
        while (topForward + topBackward < bestLength) {
            if (forward.work <= backward.work) {
                scan(forward, backward, topForward, topBackward, FORWARD, network.outCosts);
                topForward = forward.top();
            } else {
                scan(backward, forward, topBackward, topForward, BACKWARD, network.inCosts);
                topBackward = backward.top();
            }
        }
        final boolean found = bestLength < NO_WAY;
        if (found) {
            raise(Math.min(Math.min(topForward, forward.leftOut), bestLength));
            traceWay();
        }
        forward.clear();
        backward.clear();
        return found;
    }

    /** Cost of the way that {@link #find} found; may be negative of no path, but sums to the cost of the flow. */
    long cost() {
        return potentials[network.target()] - potentials[network.source()];
    }

    /** Sends one unit along the way that {@link #find} found. */
    void push() {
        while (!way.isEmpty()) {
            network.push(way.pop());
        }
    }

    /** Reduced cost of the half from {@code tail}. */
    long reducedCost(final int tail, final int half) {
        return network.outCosts[half] + potentials[tail] - potentials[network.heads[half]];
    }

    private void scan(final Frontier side, final Frontier other, final long top, final long otherTop,
            final int direction, final long[] costs) {
        final int vertex = side.settle();
        final long base = top + direction * potentials[vertex];
        final int end = network.starts[vertex + 1];
        for (int half = network.starts[vertex]; half < end; half++) {
            final int head = network.heads[half];
            final long length = base + costs[half] - direction * potentials[head];
            if (length < side.labels[head]) {
                final long rest = other.labels[head];
                if (length + rest < bestLength) {
                    bestLength = length + rest;
                    meeting = head;
                    side.label(head, length, half);
                } else if (length + Math.min(rest, otherTop) < bestLength) {
                    side.label(head, length, half);
                } else {
                    side.leftOut = Math.min(side.leftOut, length);
                }
            }
        }
        side.work += end - network.starts[vertex];
    }

    private void raise(final long forwardRadius) {
        final long backwardRadius = bestLength - forwardRadius;
        for (int i = 0; i < forward.labelled.size(); i++) {
            final int vertex = forward.labelled.get(i);
            potentials[vertex] += Math.min(forward.labels[vertex] - forwardRadius, 0);
        }
        for (int i = 0; i < backward.labelled.size(); i++) {
            final int vertex = backward.labelled.get(i);
            potentials[vertex] += Math.max(backwardRadius - backward.labels[vertex], 0);
        }
    }

    private void traceWay() {
        way.clear();
        for (int vertex = meeting; vertex != network.source();) {
            final int half = forward.halves[vertex];
            way.push(half);
            vertex = network.heads[network.mates[half]];
        }
        for (int vertex = meeting; vertex != network.target();) {
            final int half = network.mates[backward.halves[vertex]];
            way.push(half);
            vertex = network.heads[half];
        }
    }
}

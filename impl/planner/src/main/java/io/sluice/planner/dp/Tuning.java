// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.dp;

import io.sluice.planner.core.Instance;

/** Chooses the weight of utilisation by trial on the data, not by hand. */
public final class Tuning {
    /** How often chains are routed at most while not everything is carried; more hardly helps. */
    public static final int PASSES = 3;

    private Tuning() {
        // chooses, and has no instances
    }

    /**
     * The result of the best weights for all chains: those that carry most, among equals those of least latency.
     *
     * @param candidates at least one
     */
    public static SequentialResult best(final Instance instance, final Scheme scheme,
            final Iterable<Weights> candidates) {
        SequentialResult best = null;
        for (final var weights : candidates) {
            final var result = new SequentialRouting(instance, scheme, weights).routeAll(PASSES);
            if (best == null || isBetter(result, best)) {
                best = result;
            }
        }
        if (best == null) {
            throw new IllegalArgumentException("no candidates");
        }
        return best;
    }

    /**
     * The largest factor, up to {@code limit}, by which all traffic can be multiplied and is still carried; within
     * {@code limit} / 4096 by bisection.
     */
    public static double scale(final Instance instance, final Scheme scheme, final Weights weights,
            final double limit) {
        double carried = 0;
        double tooMuch = limit;
        for (int bit = 0; bit < 12; bit++) {
            final double middle = (carried + tooMuch) / 2;
            if (new SequentialRouting(instance.scaledBy(middle), scheme, weights).routeAll(PASSES).isComplete()) {
                carried = middle;
            } else {
                tooMuch = middle;
            }
        }
        return carried;
    }

    private static boolean isBetter(final SequentialResult one, final SequentialResult other) {
        return one.isComplete() == other.isComplete()
            ? one.isComplete() ? one.latency() < other.latency() : one.carried() > other.carried()
            : one.isComplete();
    }
}

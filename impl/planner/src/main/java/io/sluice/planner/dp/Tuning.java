// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.dp;

import io.sluice.planner.core.Instance;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleFunction;

/** Chooses the weight of utilisation by trial on the data, not by hand. */
public final class Tuning {
    /** How often chains are routed at most while not everything is carried; more hardly helps. */
    public static final int PASSES = 3;

    /** Kappas that {@link #kappa} tries first; the first is taken where they do equally well. */
    public static final List<Double> KAPPAS = List.of(0.03, 0.003, 0.3, 0.0003, 3.0, 0.0001, 30.0);

    /** By each of these it then steps up and down from the best so far. */
    private static final List<Double> FINER = List.of(Math.pow(10, 1. / 2), Math.pow(10, 1. / 4));

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
     * The weight of utilisation with which SB-DP carries most of an instance's traffic, among equals that of least
     * latency.
     *
     * @param weights for a kappa
     * @param passes how often chains are routed at most with it, 1 or more: in fewer a larger weight carries all
     * @param isStopped asked between trials; when it says so, the best so far is the answer
     */
    public static double kappa(final Instance instance, final DoubleFunction<Weights> weights, final int passes,
            final BooleanSupplier isStopped) {
        double best = among(KAPPAS, instance, weights, passes, isStopped);
        for (final double step : FINER) {
            best = among(List.of(best, best * step, best / step), instance, weights, passes, isStopped);
        }
        return best;
    }

    private static double among(final List<Double> kappas, final Instance instance,
            final DoubleFunction<Weights> weights, final int passes, final BooleanSupplier isStopped) {
        return kappas.get(choice(instance, kappas.stream().map(weights::apply).toList(), passes, isStopped));
    }

    /** As {@link #kappa}, the place of the best of some weights; the first if it was stopped at once. */
    public static int choice(final Instance instance, final List<Weights> candidates, final int passes,
            final BooleanSupplier isStopped) {
        int best = 0;
        SequentialResult found = null;
        for (int place = 0; place < candidates.size() && !isStopped.getAsBoolean(); place++) {
            final var result = new SequentialRouting(instance, Scheme.SB_DP, candidates.get(place)).routeAll(passes);
            if (found == null || isBetter(result, found)) {
                best = place;
                found = result;
            }
        }
        return best;
    }

    /**
     * The largest factor, up to {@code limit}, by which all traffic can be multiplied and is still carried without
     * overfilling anything; within {@code limit} / 4096 by bisection.
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

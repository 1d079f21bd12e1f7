// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

/**
 * Max-min fairness of flows, which competing TCP connections approximate: a flow has its weight times a level that all
 * share, up to its demand, and stops when a link of its path is full. Applications and tenants count for nothing.
 * Guarantees and limits are kept, and what is left is shared as in {@link AppMaxMin}, by the weights of the flows.
 */
public final class MaxMinRates implements Policy {
    @Override
    public Allocation allocate(final Round round) {
        return Instance.answer(round, 0, MaxMinRates::fill);
    }

    private static Allocation fill(final Instance instance) {
        final var rates = instance.guarantee.clone();
        final var filling = new ProgressiveFilling(instance, rates);
        final var weights = weights(instance);
        fill(instance, filling, instance.activeFlows, weights);
        Leftovers.share(instance, filling, weights);
        return Rounding.answer(instance, rates, filling.bindingLinks());
    }

    static double[] weights(final Instance instance) {
        return instance.flows.stream().mapToDouble(Flow::weight).toArray();
    }

    /** Raises {@code flows}, each in a group of its own, over what the flows already have. */
    static void fill(final Instance instance, final ProgressiveFilling filling, final int[] flows,
            final double[] weights) {
        filling.riseToLevel(flows, weights, instance.wanted);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import java.util.Arrays;

/** What a chain would pay for going through each deployment of one of its VNFs: recurrence (8) from both ends. */
public final class Detours {
    private Detours() {
        // computes, and has no instances
    }

    /**
     * The least cost of a route through each position of an inner layer.
     *
     * @param here prices of the deployments of this layer, and of the way to them
     * @param elsewhere prices of all the rest
     * @return a cost for each position, to be checked with {@link Prices#isUsable}
     */
    public static double[] through(final LayeredChain chain, final int layer, final Prices here,
            final Prices elsewhere) {
        var before = new double[chain.width(0)];
        for (int next = 1; next <= layer; next++) {
            final var costs = new double[chain.width(next)];
            for (int position = 0; position < costs.length; position++) {
                costs[position] = into(chain, next, position, before, next == layer ? here : elsewhere);
            }
            before = costs;
        }
        var after = new double[chain.width(chain.layers() - 1)];
        for (int next = chain.layers() - 2; next >= layer; next--) {
            final var costs = new double[chain.width(next)];
            for (int position = 0; position < costs.length; position++) {
                costs[position] = outOf(chain, next, position, after, elsewhere);
            }
            after = costs;
        }
        final var sums = before;
        final var rest = after;
        Arrays.setAll(sums, position -> sums[position] + rest[position]);
        return sums;
    }

    private static double into(final LayeredChain chain, final int layer, final int position, final double[] before,
            final Prices prices) {
        double least = Prices.FORBIDDEN;
        for (int from = 0; from < before.length; from++) {
            least = Math.min(least, before[from] + prices.hop(chain, layer, from, position));
        }
        return least;
    }

    private static double outOf(final LayeredChain chain, final int layer, final int position, final double[] after,
            final Prices prices) {
        double least = Prices.FORBIDDEN;
        for (int to = 0; to < after.length; to++) {
            least = Math.min(least, after[to] + prices.hop(chain, layer + 1, position, to));
        }
        return least;
    }
}

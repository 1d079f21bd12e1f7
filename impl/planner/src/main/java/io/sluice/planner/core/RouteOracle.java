// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import java.util.Arrays;

/**
 * The cheapest route of a chain at given prices, by recurrence (8) of the paper. It is the heart of every algorithm
 * here: SB-DP calls it with Fortz-Thorup prices, column generation with dual values. Keeps its tables from call to
 * call; for one thread at a time.
 */
public final class RouteOracle {
    private static final double[][] NO_SURCHARGE = {};

    private final double[][] costs = new double[2][0];
    private int[][] parents = new int[0][0];

    /**
     * Finds the cheapest route.
     *
     * @param route receives a position for each layer; may be longer than the chain
     * @return what all of the chain's traffic costs on the route, to be checked with {@link Prices#isUsable}
     */
    public double cheapest(final LayeredChain chain, final Prices prices, final int[] route) {
        return cheapest(chain, prices, NO_SURCHARGE, route);
    }

    /**
     * As {@link #cheapest(LayeredChain, Prices, int[])}, where the chain pays more at some deployments than others do.
     *
     * @param surcharge what the whole chain pays at each position of each layer; empty for a layer without
     */
    public double cheapest(final LayeredChain chain, final Prices prices, final double[][] surcharge,
            final int[] route) {
        makeRoom(chain);
        final int last = chain.layers() - 1;
        var cost = costs[0];
        var next = costs[1];
        Arrays.fill(cost, 0, chain.width(0), 0);
        for (int layer = 1; layer <= last; layer++) {
            extend(chain, prices, layer, cost, next);
            if (layer < last) {
                addDeployments(chain, prices, layer, next);
                for (int j = 0; layer < surcharge.length && j < surcharge[layer].length; j++) {
                    next[j] += surcharge[layer][j];
                }
            }
            final var swap = cost;
            cost = next;
            next = swap;
        }
        int best = 0;
        for (int position = 1; position < chain.width(last); position++) {
            best = cost[position] < cost[best] ? position : best;
        }
        final double cheapest = chain.width(last) == 0 ? Prices.FORBIDDEN : cost[best];
        for (int layer = last; layer > 0; layer--) {
            route[layer] = best;
            best = parents[layer][best];
        }
        route[0] = best;
        return cheapest;
    }

    private void makeRoom(final LayeredChain chain) {
        if (chain.layers() > parents.length || chain.widest > costs[0].length) {
            final int width = Math.max(chain.widest, costs[0].length);
            costs[0] = new double[width];
            costs[1] = new double[width];
            parents = new int[Math.max(chain.layers(), parents.length)][width];
        }
    }

    /** One stage of the recurrence: for each position of the layer the cheapest way to it from the layer before. */
    private void extend(final LayeredChain chain, final Prices prices, final int layer, final double[] cost,
            final double[] next) {
        final int[] from = chain.nodes[layer - 1];
        final int[] to = chain.nodes[layer];
        final int[] parent = parents[layer];
        final double forward = chain.forward[layer - 1];
        final double reverse = chain.reverse[layer - 1];
        final double[] there = prices.there;
        final double[] back = prices.back;
        Arrays.fill(next, 0, to.length, Double.POSITIVE_INFINITY);
        for (int i = 0; i < from.length; i++) {
            final double soFar = cost[i];
            final int row = from[i] * prices.nodes;
            for (int j = 0; j < to.length; j++) {
                final double total = soFar + forward * there[row + to[j]] + reverse * back[row + to[j]];
                if (total < next[j]) {
                    next[j] = total;
                    parent[j] = i;
                }
            }
        }
    }

    private static void addDeployments(final LayeredChain chain, final Prices prices, final int layer,
            final double[] cost) {
        final int first = chain.firstDeployment[layer];
        final double load = chain.load[layer];
        for (int j = 0; j < chain.width(layer); j++) {
            cost[j] += prices.entry[first + j] + load * prices.deployment[first + j];
        }
    }
}

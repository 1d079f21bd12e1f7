// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Prices;
import io.sluice.planner.core.RouteOracle;
import io.sluice.planner.core.Slices;
import io.sluice.planner.core.Split;
import java.util.List;
import java.util.stream.Stream;

/**
 * The cheapest choice of every chain at given prices, which is what both a bound and the next columns are made of.
 * Chains are shared out over threads; the result does not depend on their number.
 */
final class Pricing {
    private final Instance instance;
    private final Relaxation relaxation;
    private final Prices prices;
    private final List<RouteOracle> oracles;
    private final int[][] routes;
    private final double[] costs;

    Pricing(final Instance instance, final Relaxation relaxation, final int threads) {
        this.instance = instance;
        this.relaxation = relaxation;
        prices = new Prices(instance);
        oracles = Stream.generate(() -> new RouteOracle()).limit(threads).toList();
        costs = new double[instance.chainCount()];
        routes = new int[instance.chainCount()][];
        for (int chain = 0; chain < routes.length; chain++) {
            routes[chain] = new int[instance.chain(chain).layers()];
        }
    }

    /** Prices all chains; returns the lower bound that this proves. */
    double run(final double[] ofRow) {
        prices.set(ofRow, relaxation.delayPrice());
        Slices.forEach(costs.length, oracles.size(), (thread, chain) ->
            costs[chain] = oracles.get(thread).cheapest(instance.chain(chain), prices, routes[chain]));
        double sum = 0;
        for (int chain = 0; chain < costs.length; chain++) {
            sum += cost(chain);
        }
        return relaxation.bound(sum, ofRow);
    }

    /** Cost of the cheapest choice of a chain, in the last run. */
    double cost(final int chain) {
        return Math.min(costs[chain], relaxation.skipCost(chain));
    }

    /** Whether some route of the chain uses nothing closed. */
    boolean isRoutable(final int chain) {
        return Prices.isUsable(costs[chain]);
    }

    /** Index in {@code split} of the cheapest choice of a chain, in the last run. */
    int choice(final int chain, final Split split) {
        return costs[chain] <= relaxation.skipCost(chain) ? split.indexOf(routes[chain], routes[chain].length)
            : split.indexOf(Split.NOWHERE, 0);
    }

    /** Cost at the prices of the last run of a choice that was made before. */
    double costOf(final int chain, final Split split, final int index) {
        return relaxation.cost(prices, instance, chain, split, index);
    }
}

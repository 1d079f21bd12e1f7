// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.dp;

import io.sluice.planner.core.LayeredChain;
import io.sluice.planner.core.Prices;

/** Looks one hop ahead only: from where the traffic is to the cheapest position of the next layer. */
final class HopByHop {
    private final Prices prices;

    HopByHop(final Prices prices) {
        this.prices = prices;
    }

    /** As {@link io.sluice.planner.core.RouteOracle#cheapest}, but greedily; starts at the first ingress. */
    double cheapest(final LayeredChain chain, final int[] route) {
        double total = 0;
        route[0] = 0;
        for (int layer = 1; layer < chain.layers(); layer++) {
            double least = Double.POSITIVE_INFINITY;
            for (int position = 0; position < chain.width(layer); position++) {
                final double cost = prices.hop(chain, layer, route[layer - 1], position);
                if (cost < least) {
                    least = cost;
                    route[layer] = position;
                }
            }
            total += least;
        }
        return total;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/** The best choice that a chain did not take: recurrence (8) from both ends, met at what the chain leaves unused. */
public final class RunnerUp {
    private final LayeredChain chain;
    private final Prices prices;
    /** Least cost from any ingress to a position, and from there to any egress. */
    private final double[][] before;
    private final double[][] after;

    private RunnerUp(final LayeredChain chain, final Prices prices) {
        this.chain = chain;
        this.prices = prices;
        before = new double[chain.layers()][];
        after = new double[chain.layers()][];
        for (int layer = 0; layer < chain.layers(); layer++) {
            before[layer] = new double[chain.width(layer)];
            after[layer] = new double[chain.width(layer)];
        }
        for (int layer = 1; layer < chain.layers(); layer++) {
            for (int position = 0; position < chain.width(layer); position++) {
                final int parent = parent(layer, position);
                before[layer][position] = before[layer - 1][parent] + prices.hop(chain, layer, parent, position);
            }
        }
        for (int layer = chain.layers() - 2; layer >= 0; layer--) {
            for (int position = 0; position < chain.width(layer); position++) {
                final int child = child(layer, position);
                after[layer][position] = after[layer + 1][child] + prices.hop(chain, layer + 1, position, child);
            }
        }
    }

    /**
     * The cheapest route that somewhere uses a deployment or an end that {@code used} does not; empty if no such route
     * is usable.
     */
    public static Optional<int[]> of(final LayeredChain chain, final Prices prices, final Split used) {
        return IntStream.range(0, chain.layers()).anyMatch(layer -> chain.width(layer) == 0) ? Optional.empty()
            : new RunnerUp(chain, prices).cheapestBeside(used);
    }

    private Optional<int[]> cheapestBeside(final Split used) {
        double least = Prices.UNUSABLE;
        int[] best = null;
        for (int layer = 0; layer < chain.layers(); layer++) {
            for (int position = 0; position < chain.width(layer); position++) {
                final double cost = before[layer][position] + after[layer][position];
                if (cost < least && !used.uses(layer, position)) {
                    least = cost;
                    best = new int[] {layer, position};
                }
            }
        }
        return Optional.ofNullable(best).map(found -> through(found[0], found[1]));
    }

    private int[] through(final int layer, final int position) {
        final var route = new int[chain.layers()];
        route[layer] = position;
        for (int earlier = layer; earlier > 0; earlier--) {
            route[earlier - 1] = parent(earlier, route[earlier]);
        }
        for (int later = layer; later < route.length - 1; later++) {
            route[later + 1] = child(later, route[later]);
        }
        return route;
    }

    private int parent(final int layer, final int position) {
        final var costs = new double[chain.width(layer - 1)];
        Arrays.setAll(costs, parent -> before[layer - 1][parent] + prices.hop(chain, layer, parent, position));
        return least(costs);
    }

    private int child(final int layer, final int position) {
        final var costs = new double[chain.width(layer + 1)];
        Arrays.setAll(costs, child -> after[layer + 1][child] + prices.hop(chain, layer + 1, position, child));
        return least(costs);
    }

    private static int least(final double[] costs) {
        int least = 0;
        for (int i = 1; i < costs.length; i++) {
            least = costs[i] < costs[least] ? i : least;
        }
        return least;
    }
}

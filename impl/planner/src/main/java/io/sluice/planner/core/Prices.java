// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

/**
 * Prices of rows and of delay, spread over what a route is made of: pairs of nodes and deployments. Set it again for
 * new prices. Readable by many threads between two calls of {@link #set}.
 */
public final class Prices {
    /** Price of what is closed or out of reach: above all real prices, and finite, so that 0 times it is 0. */
    static final double FORBIDDEN = 1e200;
    /** A route that costs more uses something forbidden. */
    static final double UNUSABLE = 1e150;

    /** Price of one bit/s from one node to another, at from * nodes + to; unused pairs stay 0. */
    final double[] there;
    /** The same the other way: back[from * nodes + to] is the price from {@code to} to {@code from}. */
    final double[] back;
    /** Price of one cycle/s at each deployment, its site included. */
    final double[] deployment;
    final int nodes;

    private final Instance instance;
    private final double[] perUnit;

    public Prices(final Instance instance) {
        this.instance = instance;
        nodes = instance.underlay().nodes();
        there = new double[nodes * nodes];
        back = new double[nodes * nodes];
        deployment = new double[instance.deployments()];
        perUnit = new double[instance.rows()];
    }

    /**
     * Sets all prices.
     *
     * @param ofRow price of the whole capacity of each row, 0 or more
     * @param ofDelay price of one bit/s for one microsecond
     */
    public void set(final double[] ofRow, final double ofDelay) {
        for (int row = 0; row < perUnit.length; row++) {
            perUnit[row] = instance.isClosed(row) ? FORBIDDEN : ofRow[row] / instance.capacity(row);
        }
        final var underlay = instance.underlay();
        for (final int pair : instance.usedPairs()) {
            final int from = pair / nodes;
            final int to = pair % nodes;
            final double price = underlay.reaches(from, to)
                ? underlay.weigh(pair, perUnit) + ofDelay * underlay.delayUs(from, to) : FORBIDDEN;
            there[pair] = price;
            back[to * nodes + from] = price;
        }
        for (int i = 0; i < deployment.length; i++) {
            deployment[i] = perUnit[instance.siteRow(i)] + perUnit[instance.deploymentRow(i)];
        }
    }

    /** What all of the chain's traffic costs on a route. */
    public double cost(final LayeredChain chain, final int[] route) {
        double cost = 0;
        for (int layer = 1; layer < chain.layers(); layer++) {
            final int pair = chain.nodes[layer - 1][route[layer - 1]] * nodes + chain.nodes[layer][route[layer]];
            cost += chain.forward[layer - 1] * there[pair] + chain.reverse[layer - 1] * back[pair];
            if (layer < chain.layers() - 1) {
                cost += chain.load[layer] * deployment[chain.deployment(layer, route[layer])];
            }
        }
        return cost;
    }

    /** Whether a route of this cost uses nothing that is closed or out of reach. */
    public static boolean isUsable(final double cost) {
        return cost < UNUSABLE;
    }
}

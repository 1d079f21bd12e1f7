// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

/**
 * Prices of rows and of delay, spread over what a route is made of: pairs of nodes and deployments. All are set at
 * once, or one row is changed, which only touches what uses the row. Readable by many threads while nobody changes it.
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
    /** Price of going through each deployment, whatever the load: nothing, or FORBIDDEN. */
    final double[] entry;
    final int nodes;

    private final Instance instance;
    private final double[] perUnit;
    private double delayPrice;

    public Prices(final Instance instance) {
        this.instance = instance;
        nodes = instance.underlay().nodes();
        there = new double[nodes * nodes];
        back = new double[nodes * nodes];
        deployment = new double[instance.deployments()];
        entry = new double[instance.deployments()];
        for (int i = 0; i < entry.length; i++) {
            setOpen(i, !instance.isShut(i));
        }
        perUnit = new double[instance.rows()];
    }

    /**
     * Sets all prices.
     *
     * @param ofRow price of the whole capacity of each row, 0 or more
     * @param ofDelay price of one bit/s for one microsecond
     */
    public void set(final double[] ofRow, final double ofDelay) {
        delayPrice = ofDelay;
        for (int row = 0; row < perUnit.length; row++) {
            perUnit[row] = instance.isClosed(row) ? FORBIDDEN : ofRow[row] / instance.capacity(row);
        }
        for (final int pair : instance.usedPairs()) {
            setPair(pair);
        }
        for (int i = 0; i < deployment.length; i++) {
            setDeployment(i);
        }
    }

    /** Changes the price of the whole capacity of one row that is not closed. */
    public void change(final int row, final double price) {
        perUnit[row] = price / instance.capacity(row);
        final int[] users = instance.users(row);
        if (row < instance.links()) {
            for (final int pair : users) {
                setPair(pair);
            }
        } else {
            for (final int i : users) {
                setDeployment(i);
            }
        }
    }

    /** Forbids to take anything of a row. */
    public void forbid(final int row) {
        change(row, FORBIDDEN * instance.capacity(row));
    }

    /** Lets routes go through a deployment, or none, even if they would take nothing of it. */
    public void setOpen(final int number, final boolean isOpen) {
        entry[number] = isOpen ? 0 : FORBIDDEN;
    }

    private void setPair(final int pair) {
        final var underlay = instance.underlay();
        final int from = pair / nodes;
        final int to = pair % nodes;
        final double price = underlay.reaches(from, to)
            ? underlay.weigh(pair, perUnit) + delayPrice * underlay.delayUs(from, to) : FORBIDDEN;
        there[pair] = price;
        back[to * nodes + from] = price;
    }

    private void setDeployment(final int i) {
        deployment[i] = perUnit[instance.siteRow(i)] + perUnit[instance.deploymentRow(i)];
    }

    /** What all of the chain's traffic costs on a route. */
    public double cost(final LayeredChain chain, final int[] route) {
        double cost = 0;
        for (int layer = 1; layer < chain.layers(); layer++) {
            cost += hop(chain, layer, route[layer - 1], route[layer]);
        }
        return cost;
    }

    /** The part of {@link #cost} between two layers, the deployment at the end of it included. */
    public double hop(final LayeredChain chain, final int layer, final int before, final int position) {
        final int pair = chain.nodes[layer - 1][before] * nodes + chain.nodes[layer][position];
        final double way = chain.forward[layer - 1] * there[pair] + chain.reverse[layer - 1] * back[pair];
        if (layer == chain.layers() - 1) {
            return way;
        }
        final int number = chain.deployment(layer, position);
        return way + entry[number] + chain.load[layer] * deployment[number];
    }

    /** Whether a route of this cost uses nothing that is closed or out of reach. */
    public static boolean isUsable(final double cost) {
        return cost < UNUSABLE;
    }
}

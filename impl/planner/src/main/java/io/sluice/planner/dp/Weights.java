// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.dp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Prices;
import io.sluice.planner.core.RouteOracle;

/**
 * How utilisation is weighed against delay. The paper adds latency cost and utilisation cost without a word on units;
 * here a unit of slope on a link, or at a deployment, is worth kappa times the mean delay of a stage where nothing is
 * full. On top each row may have a fixed price, such as its worth in a linear program that was solved before.
 */
public final class Weights {
    private final double[] perSlope;
    private final double[] base;

    private Weights(final double[] perSlope, final double[] base) {
        this.perSlope = perSlope;
        this.base = base;
    }

    /**
     * Weights without fixed prices.
     *
     * @param kappa 0 for none; 0.001..1 makes sense
     */
    public static Weights of(final Instance instance, final double kappa) {
        return priced(instance, kappa, new double[instance.rows()]);
    }

    /**
     * Weights with a fixed price for each row, in bit/s times microseconds for its whole capacity: the prices of a
     * {@link io.sluice.planner.lp.RoutingAnswer.Routed} for least latency.
     */
    public static Weights priced(final Instance instance, final double kappa, final double[] base) {
        final var prices = new Prices(instance);
        prices.set(new double[instance.rows()], 1);
        final var oracle = new RouteOracle(instance);
        double latency = 0;
        double traffic = 0;
        double load = 0;
        for (int number = 0; number < instance.chainCount(); number++) {
            final var chain = instance.chain(number);
            latency += oracle.cheapest(chain, prices, new int[chain.layers()]);
            traffic += chain.traffic();
            load += chain.totalLoad();
        }
        final double unit = traffic > 0 ? kappa * latency / traffic : 0;
        final double bitsPerCycle = load > 0 ? traffic / load : 0;
        final var perSlope = new double[instance.rows()];
        for (int row = 0; row < perSlope.length; row++) {
            perSlope[row] = unit * instance.capacity(row) * (row < instance.links() ? 1 : bitsPerCycle);
        }
        return new Weights(perSlope, base.clone());
    }

    /** Price of the whole capacity of a row for each unit of slope. */
    double perSlope(final int row) {
        return perSlope[row];
    }

    double base(final int row) {
        return base[row];
    }
}

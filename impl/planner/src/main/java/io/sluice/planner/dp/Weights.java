// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.dp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Prices;
import io.sluice.planner.core.RouteOracle;
import io.sluice.planner.model.Site;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How utilisation is weighed against delay. The paper adds latency cost and utilisation cost without a word on units;
 * here a unit of slope on a link, or at a deployment, is worth kappa times the mean delay of a stage where nothing is
 * full, or times a microsecond if that is more; chains without any route don't count. On top each row may have a fixed
 * price, such as its worth in a linear program that was solved before, and some may be avoided.
 */
public final class Weights {
    /**
     * Mean delays of a stage that an avoided row costs, whatever kappa is: more than all delays and prices on a route
     * without one, and few enough that a double still tells these apart where each route has one.
     */
    private static final double AVOIDED = 1e9;
    /** So that utilisation counts where nothing takes time. */
    private static final double LEAST_DELAY_US = 1;

    private final double[] perSlope;
    /** What the whole capacity of each row is worth at the mean delay of a stage. */
    private final double[] perDelay;
    private final double[] base;
    private final double[] surcharge;

    private Weights(final double[] perSlope, final double[] perDelay, final double[] base, final double[] surcharge) {
        this.perSlope = perSlope;
        this.perDelay = perDelay;
        this.base = base;
        this.surcharge = surcharge;
    }

    /**
     * What utilisation is weighed against.
     *
     * @param delayUs mean delay of a stage where nothing is full, in microseconds
     * @param bitsPerCycle traffic of all chains over their load; what a cycle/s is worth in bit/s
     */
    public record Units(double delayUs, double bitsPerCycle) {
        /** Those of the chains that have a route, or {@link #idle} ones where these say nothing. */
        public static Units of(final Instance instance) {
            final var prices = new Prices(instance);
            prices.set(new double[instance.rows()], 1);
            final var oracle = new RouteOracle();
            double latency = 0;
            double traffic = 0;
            double load = 0;
            for (int number = 0; number < instance.chainCount(); number++) {
                final var chain = instance.chain(number);
                final double cost = oracle.cheapest(chain, prices, new int[chain.layers()]);
                if (Prices.isUsable(cost)) {
                    latency += cost;
                    traffic += chain.traffic();
                    load += chain.totalLoad();
                }
            }
            return new Units(traffic > 0 ? Math.max(LEAST_DELAY_US, latency / traffic) : idleDelayUs(instance),
                load > 0 ? traffic / load : idleBitsPerCycle(instance));
        }

        /**
         * Where no chain is known yet: the mean delay is that between any two nodes, and links and sites are taken to
         * be equally well provided.
         */
        public static Units idle(final Instance instance) {
            return new Units(idleDelayUs(instance), idleBitsPerCycle(instance));
        }

        private static double idleDelayUs(final Instance instance) {
            final var underlay = instance.underlay();
            final int nodes = underlay.nodes();
            return Math.max(LEAST_DELAY_US, IntStream.range(0, nodes * nodes)
                .filter(pair -> pair / nodes != pair % nodes && underlay.reaches(pair / nodes, pair % nodes))
                .mapToDouble(pair -> underlay.delayUs(pair / nodes, pair % nodes)).average().orElse(0));
        }

        private static double idleBitsPerCycle(final Instance instance) {
            final double bits = IntStream.range(0, instance.links()).mapToDouble(instance::capacity).sum();
            final double cycles = instance.problem().sites().stream().mapToDouble(Site::cyclesPerSecond).sum();
            return cycles > 0 ? bits / cycles : 0;
        }
    }

    /**
     * Weights without fixed prices, in the units of the instance's chains.
     *
     * @param kappa 0 for none; see {@link Tuning#KAPPAS}
     */
    public static Weights of(final Instance instance, final double kappa) {
        return of(instance, Units.of(instance), kappa);
    }

    /** Weights without fixed prices, in given units. */
    public static Weights of(final Instance instance, final Units units, final double kappa) {
        return new Weights(worths(instance, units, kappa), worths(instance, units, 1), new double[instance.rows()],
            new double[instance.rows()]);
    }

    /** What the whole capacity of each row is worth at so many times the mean delay of a stage. */
    private static double[] worths(final Instance instance, final Units units, final double times) {
        return IntStream.range(0, instance.rows()).mapToDouble(row -> times * units.delayUs() * instance.capacity(row)
            * (row < instance.links() ? 1 : units.bitsPerCycle())).toArray();
    }

    /**
     * The same weights, and on top a fixed price for the whole capacity of each row, in bit/s times microseconds: the
     * prices of a {@link io.sluice.planner.lp.RoutingAnswer.Routed} for least latency.
     */
    public Weights plus(final double[] prices) {
        final var raised = base.clone();
        Arrays.setAll(raised, row -> base[row] + prices[row]);
        return new Weights(perSlope, perDelay, raised, surcharge);
    }

    /** The same weights, and some rows are taken only where there is no other way with room. */
    public Weights avoiding(final Iterable<Integer> rows) {
        final var avoided = surcharge.clone();
        for (final int row : rows) {
            avoided[row] = perDelay[row] * AVOIDED;
        }
        return new Weights(perSlope, perDelay, base, avoided);
    }

    /** Price of the whole capacity of a row for each unit of slope. */
    double perSlope(final int row) {
        return perSlope[row];
    }

    double base(final int row) {
        return base[row];
    }

    /** What keeps routes away from the whole capacity of a row; no worth of it. */
    double surcharge(final int row) {
        return surcharge[row];
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Prices;
import io.sluice.planner.core.Split;
import java.util.Arrays;
import java.util.Optional;

/**
 * One objective as a Lagrangian relaxation: rows have prices instead of capacities, and then each chain routes for
 * itself. Everything is a minimisation of something that is neither tiny nor huge, so that one tolerance fits all:
 * <ul>
 * <li>LATENCY: the sum (3) over its value if capacities did not matter, or at a microsecond a stage if that is more
 * <li>SCALE: 1 / alpha, which is the utilisation of the fullest row; where the traffic given hardly fills anything, or
 *     far too much, at a multiple of it
 * <li>CARRIED: the fraction of the demand that is not carried
 * </ul>
 */
sealed interface Relaxation {
    /** Price of one bit/s for one microsecond. */
    double delayPrice();

    /** What it costs not to carry a chain; infinite where that is no choice. */
    default double skipCost(final int chain) {
        return Double.POSITIVE_INFINITY;
    }

    /** Whether capacities grow with the value that is minimised, as they do for SCALE. */
    default boolean growsCapacity() {
        return false;
    }

    /** The columns by which some rows grow further; empty where none do. */
    default Optional<Expansion> expansion() {
        return Optional.empty();
    }

    /**
     * How far rows may be filled at least cost: prices are max(0, price + stiffness * (use - level)).
     *
     * @param use share of the capacity of each row that is used, 1 and more allowed
     * @param levels receives the level of each row
     */
    default void level(final double[] price, final double stiffness, final double[] use, final double[] levels) {
        Arrays.fill(levels, 1);
    }

    /**
     * The value that such use asks for at least, where capacities grow with it; 1 where they don't.
     *
     * @param levels receives how far each row may be filled then
     */
    default double fit(final double[] use, final double[] levels) {
        Arrays.fill(levels, 1);
        return 1;
    }

    /** By how much prices are to be divided, where only their proportions matter. */
    default double norm(final double[] price) {
        return 1;
    }

    /** Overload, as a share of the capacity, that prices should react to at first; found by experiment. */
    double tolerance();

    /** Lower bound on the minimum, from the sum of the cheapest routes of all chains at these prices (weak duality). */
    default double bound(final double cheapest, final double[] price) {
        return cheapest - Arrays.stream(price).sum();
    }

    /** The relative gap that a value and a lower bound prove, in terms of the objective. */
    default double gap(final double value, final double bound) {
        return value <= 0 ? 0 : (value - bound) / value;
    }

    /** A minimum or a bound of one in the unit of the {@link Objective}. */
    double inUnits(double minimum);

    /** What a choice of a chain costs by itself, for all of its traffic. */
    default double ownCost(final Instance instance, final int chain, final Split split, final int index) {
        return split.isNowhere(index) ? skipCost(chain)
            : delayPrice() * split.latency(instance.underlay(), instance.chain(chain), index);
    }

    /** What a choice of a chain costs together with what it takes of the rows, at prices. */
    default double cost(final Prices prices, final Instance instance, final int chain, final Split split,
            final int index) {
        return split.isNowhere(index) ? skipCost(chain) : split.cost(prices, instance.chain(chain), index);
    }

    /** One unit of price in the unit of the objective. */
    double priceUnit();

    /** See {@link Objective#LATENCY}; {@code unit} is near its value, such as that if capacities did not matter. */
    record Latency(double unit) implements Relaxation {
        @Override
        public double delayPrice() {
            return unit > 0 ? 1 / unit : 0;
        }

        @Override
        public double tolerance() {
            return 0.5;
        }

        @Override
        public double priceUnit() {
            return unit;
        }

        @Override
        public double inUnits(final double minimum) {
            return minimum * unit;
        }
    }

    /** 1 / alpha as the value. */
    sealed interface Growing extends Relaxation {
        /** By how much the traffic was multiplied before: alpha is as many times as large. */
        double factor();

        @Override
        default double delayPrice() {
            return 0;
        }

        @Override
        default boolean growsCapacity() {
            return true;
        }

        @Override
        default double tolerance() {
            return 0.1;
        }

        @Override
        default double priceUnit() {
            return 1;
        }

        @Override
        default double bound(final double cheapest, final double[] price) {
            final double norm = norm(price);
            return norm > 0 ? cheapest / norm : 0;
        }

        @Override
        default double inUnits(final double minimum) {
            return factor() / minimum;
        }
    }

    /** See {@link Objective#SCALE}. Prices sum to one. */
    record Scale(double factor) implements Growing {
        @Override
        public double fit(final double[] use, final double[] levels) {
            final double fullest = Arrays.stream(use).max().orElse(0);
            Arrays.fill(levels, fullest);
            return fullest;
        }

        @Override
        public double norm(final double[] price) {
            return Arrays.stream(price).sum();
        }

        @Override
        public void level(final double[] price, final double stiffness, final double[] use, final double[] levels) {
            Arrays.fill(levels, level(price, stiffness, use));
        }

        /** The level at which prices sum to one: Euclidean projection onto the simplex, by Michelot's method. */
        private static double level(final double[] price, final double stiffness, final double[] use) {
            final var point = new double[price.length];
            for (int row = 0; row < price.length; row++) {
                point[row] = price[row] + stiffness * use[row];
            }
            int active = point.length;
            double threshold = (Arrays.stream(point).sum() - 1) / active;
            while (true) {
                double sum = 0;
                int above = 0;
                for (int i = 0; i < active; i++) {
                    if (point[i] > threshold) {
                        sum += point[i];
                        point[above++] = point[i];
                    }
                }
                if (above == active) {
                    return threshold / stiffness;
                }
                active = above;
                threshold = (sum - 1) / active;
            }
        }
    }

    /** As SCALE, while capacity is added to sites. */
    record Expanded(Expansion additions, double factor) implements Growing {
        @Override
        public Optional<Expansion> expansion() {
            return Optional.of(additions);
        }

        /** As much as that, since a site's rows share their overload with its growth; found by experiment. */
        @Override
        public double tolerance() {
            return 3;
        }

        @Override
        public double fit(final double[] use, final double[] levels) {
            return additions.fit(use, levels);
        }

        @Override
        public void level(final double[] price, final double stiffness, final double[] use, final double[] levels) {
            additions.level(price, stiffness, use, levels);
        }

        @Override
        public double norm(final double[] price) {
            return additions.norm(price);
        }
    }

    /** See {@link Objective#CARRIED}. */
    record Carried(Instance instance, double demand) implements Relaxation {
        private static final double ROUNDING = 1e-12;

        static Carried of(final Instance instance) {
            double demand = 0;
            for (int chain = 0; chain < instance.chainCount(); chain++) {
                demand += instance.chain(chain).demand();
            }
            return new Carried(instance, demand);
        }

        @Override
        public double delayPrice() {
            return 0;
        }

        @Override
        public double skipCost(final int chain) {
            return demand > 0 ? instance.chain(chain).demand() / demand : 0;
        }

        @Override
        public double tolerance() {
            return 0.2;
        }

        /** Relative to what is carried; where that is nothing, or too much for the capacities, only 0 is a gap. */
        @Override
        public double gap(final double value, final double bound) {
            return value < 1 ? (value - bound) / (1 - value) : value - bound < ROUNDING ? 0 : Double.POSITIVE_INFINITY;
        }

        @Override
        public double priceUnit() {
            return demand;
        }

        @Override
        public double inUnits(final double minimum) {
            return demand * (1 - minimum);
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Prices;
import io.sluice.planner.core.RouteOracle;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;
import java.util.Arrays;
import java.util.List;

/**
 * Comes near the optimum without a linear program, to start column generation where it would otherwise arrive late.
 *
 * <p>It is pairwise Frank-Wolfe, block by block, on the augmented Lagrangian: price_r(u) = max(0, mu_r + rho (u_r -
 * level)) is the gradient of a convex penalty on the use u_r of each row. Chain after chain moves traffic from the most
 * expensive of its routes to the cheapest route there is, as far as an exact line search on the penalty says. Routes
 * are searched at prices that are renewed from block to block; the line search knows the exact ones. After each pass
 * over all chains the prices become the multipliers mu of the next.
 */
final class BlockDescent {
    private static final int BLOCKS = 100;
    private static final double FIRST_STIFFNESS = 0.005;
    /** Prices of what is overfull beyond all measure rise no faster, so that they stay numbers. */
    private static final double STIFFEST = 1e9;

    private final Instance instance;
    private final Relaxation relaxation;
    private final Split[] splits;
    /** What is used of each row, as a share of its capacity. */
    private final double[] use;
    private final double[] multiplier;
    /** How far each row may be filled. */
    private final double[] level;
    private final double[] price;
    private final Prices prices;
    private final RouteOracle oracle;
    private final Shares shift;
    private final int[] route;
    /** The rho above: change of a row's price when its use grows by its whole capacity. */
    private double stiffness;

    /** Starts without any traffic. */
    BlockDescent(final Instance instance, final Relaxation relaxation) {
        this.instance = instance;
        this.relaxation = relaxation;
        stiffness = FIRST_STIFFNESS;
        splits = new Split[instance.chainCount()];
        Arrays.setAll(splits, chain -> new Split());
        use = new double[instance.rows()];
        price = new double[instance.rows()];
        multiplier = new double[instance.rows()];
        level = new double[instance.rows()];
        Arrays.fill(multiplier, relaxation.growsCapacity() ? 1.0 / instance.rows() : 0);
        prices = new Prices(instance);
        oracle = new RouteOracle();
        shift = new Shares(instance);
        int layers = 0;
        for (int chain = 0; chain < splits.length; chain++) {
            layers = Math.max(layers, instance.chain(chain).layers());
        }
        route = new int[layers];
    }

    /** Starts with routes and prices of rows that are good for something similar. */
    BlockDescent(final Instance instance, final Relaxation relaxation, final List<Split> start,
            final double[] startPrices) {
        this(instance, relaxation);
        final double norm = relaxation.norm(startPrices);
        for (int row = 0; row < price.length; row++) {
            price[row] = startPrices[row] / norm;
            multiplier[row] = price[row];
        }
        for (int chain = 0; chain < splits.length; chain++) {
            splits[chain] = start.get(chain).copy();
        }
        System.arraycopy(Shares.ofAll(instance, start), 0, use, 0, use.length);
        adaptStiffness();
    }

    /** One pass over all chains. */
    void pass() {
        final int block = Math.max(1, splits.length / BLOCKS);
        for (int chain = 0; chain < splits.length; chain++) {
            if (chain % block == 0) {
                updatePrices();
                prices.set(price, relaxation.delayPrice());
            }
            improve(chain);
        }
        updatePrices();
        System.arraycopy(price, 0, multiplier, 0, price.length);
        adaptStiffness();
    }

    /**
     * A row of typical price, the mean of prices weighted by themselves, shall double its price when it is overfull by
     * the tolerance: too soft and overload goes unnoticed, too stiff and the line search takes tiny steps.
     */
    private void adaptStiffness() {
        double sum = 0;
        double squares = 0;
        for (final double each : price) {
            sum += each;
            squares += each * each;
        }
        if (sum > 0) {
            stiffness = Math.min(STIFFEST, squares / sum / relaxation.tolerance());
        }
    }

    /** The prices of the whole capacity of each row after the last pass. */
    double[] multipliers() {
        return multiplier.clone();
    }

    /** Where the traffic of a chain is now; shared, not copied. */
    Split split(final int chain) {
        return splits[chain];
    }

    /** What can be had from here at once. */
    Trimming trimming() {
        return new Trimming(instance, relaxation, Arrays.asList(splits));
    }

    private void updatePrices() {
        relaxation.level(multiplier, stiffness, use, level);
        for (int row = 0; row < price.length; row++) {
            price[row] = priceAt(row);
        }
    }

    private double priceAt(final int row) {
        return Math.max(0, multiplier[row] + stiffness * (use[row] - level[row]));
    }

    private void improve(final int chain) {
        final var layered = instance.chain(chain);
        final var split = splits[chain];
        final double cheapest = oracle.cheapest(layered, prices, route);
        final boolean skip = relaxation.skipCost(chain) < cheapest;
        final int worst = mostExpensive(chain, split);
        if (worst >= 0 && relaxation.cost(prices, instance, chain, split, worst)
                <= Math.min(cheapest, relaxation.skipCost(chain))) {
            return;
        }
        final int best = skip ? split.indexOf(Split.NOWHERE, 0) : split.indexOf(route, layered.layers());
        shift.clear();
        split.addTo(shift, layered, best, 1);
        double moved = 1;
        if (worst >= 0) {
            split.addTo(shift, layered, worst, -1);
            moved = Math.min(split.fraction(worst), step(chain, split, worst, best));
            split.setFraction(worst, split.fraction(worst) - moved);
        }
        split.setFraction(best, split.fraction(best) + moved);
        shift.addTo(use, moved);
        split.prune();
    }

    /** Exact line search on the penalty along {@link #shift}. */
    private double step(final int chain, final Split split, final int worst, final int best) {
        double slope = relaxation.ownCost(instance, chain, split, best)
            - relaxation.ownCost(instance, chain, split, worst);
        double curvature = 0;
        for (int i = 0; i < shift.size(); i++) {
            final int row = shift.row(i);
            final double change = shift.get(row);
            final double exact = priceAt(row);
            slope += exact * change;
            curvature += exact > 0 ? change * change : 0;
        }
        return slope >= 0 ? 0 : curvature > 0 ? -slope / (stiffness * curvature) : 1;
    }

    private int mostExpensive(final int chain, final Split split) {
        int worst = -1;
        double most = Double.NEGATIVE_INFINITY;
        for (int index = 0; index < split.size(); index++) {
            final double cost = relaxation.cost(prices, instance, chain, split, index);
            if (cost > most) {
                most = cost;
                worst = index;
            }
        }
        return worst;
    }
}

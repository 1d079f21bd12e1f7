// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.placement;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Prices;
import io.sluice.planner.core.RouteOracle;
import io.sluice.planner.core.Slices;
import io.sluice.planner.lp.Limits;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A sum (3) that no choice of sites can beat, by Lagrangian relaxation of the paper's mixed integer program.
 *
 * <p>Two kinds of constraints have prices: capacities, p_r of each row, and for each chain c, layer z and candidate
 * site s that no more goes through s than w_fs allows, v_czs. Then each chain goes where it pays least, v included, for
 * itself; and each VNF opens the y_f candidates that are worth most to it: a candidate's worth is the sum of the v of
 * all chains there plus the price p of its own capacity, which is only there when it is open. By weak duality
 * <pre>
 *   sum over c of the cheapest route - sum over other rows of p_r - sum over f of the y_f largest worths
 * </pre>
 * is a bound, whatever p and v are. The p are those of the best program solved; the v are improved by subgradient steps
 * of Polyak's length: they rise where a chain goes though the site is closed, and fall where it is open in vain.
 */
final class PlacementBound {
    private static final int MAX_STEPS = 400;
    private static final double FIRST_LENGTH = 1;
    private static final double SHORTER = 0.7;
    /** Steps without a better bound after which they get shorter. */
    private static final int PATIENCE = 8;
    private static final double SHORTEST = 0.003;

    private final Candidates candidates;
    private final Instance instance;
    private final Prices prices;
    private final double[] ofRow;
    private final List<RouteOracle> oracles;
    private final double[][][] surcharges;
    private final int[][] routes;
    private final double[] costs;
    private final boolean[][] isWorth;

    /** Prices of rows as of SB-LP for least latency. */
    PlacementBound(final Candidates candidates, final double[] ofRow, final int threads) {
        this.candidates = candidates;
        this.ofRow = ofRow;
        instance = candidates.instance;
        prices = candidates.prices(ofRow);
        oracles = Stream.generate(() -> new RouteOracle()).limit(threads).toList();
        routes = new int[instance.chainCount()][];
        costs = new double[routes.length];
        surcharges = new double[routes.length][][];
        for (int chain = 0; chain < routes.length; chain++) {
            final var layered = instance.chain(chain);
            routes[chain] = new int[layered.layers()];
            surcharges[chain] = new double[layered.layers()][0];
        }
        for (final int vnf : candidates.vnfs) {
            for (final var use : candidates.uses.get(vnf)) {
                surcharges[use.chain()][use.layer()] = new double[candidates.old[vnf] + candidates.sites[vnf].length];
            }
        }
        isWorth = candidates.none();
    }

    /**
     * Steps until the bound is near enough, nothing helps any more, or it is stopped.
     *
     * @param value the sum (3) of a choice that was found
     * @param isEnough told of each better bound
     */
    void raise(final double value, final Limits limits, final DoublePredicate isEnough) {
        double best = Double.NEGATIVE_INFINITY;
        double length = FIRST_LENGTH;
        int idle = 0;
        for (int step = 0; step < MAX_STEPS && length > SHORTEST && !limits.isStopped().getAsBoolean(); step++) {
            final double bound = bound();
            idle = bound > best ? 0 : idle + 1;
            if (bound > best) {
                best = bound;
                if (isEnough.test(best)) {
                    break;
                }
            }
            if (idle == PATIENCE) {
                idle = 0;
                length *= SHORTER;
            }
            step(length * Math.max(0, value - bound));
        }
    }

    /** The candidates that were worth most at last: near a good choice. */
    boolean[][] worthMost() {
        return isWorth.clone();
    }

    private double bound() {
        Slices.forEach(costs.length, oracles.size(), (thread, chain) -> costs[chain] = oracles.get(thread)
            .cheapest(instance.chain(chain), prices, surcharges[chain], routes[chain]));
        double bound = Arrays.stream(costs).sum() - Arrays.stream(ofRow).sum();
        for (final int vnf : candidates.vnfs) {
            bound += open(vnf);
        }
        return bound;
    }

    /** Opens the candidates that are worth most; returns what is to be added to the bound. */
    private double open(final int vnf) {
        final var worth = new double[candidates.sites[vnf].length];
        double sum = 0;
        for (int candidate = 0; candidate < worth.length; candidate++) {
            worth[candidate] = ofRow[candidates.row(vnf, candidate)];
            sum += worth[candidate];
        }
        for (final var use : candidates.uses.get(vnf)) {
            final var surcharge = surcharges[use.chain()][use.layer()];
            for (int candidate = 0; candidate < worth.length; candidate++) {
                worth[candidate] += surcharge[candidates.old[vnf] + candidate];
            }
        }
        Arrays.fill(isWorth[vnf], false);
        final var byWorth = IntStream.range(0, worth.length).boxed()
            .sorted((one, other) -> Double.compare(worth[other], worth[one])).toList();
        for (int i = 0; i < candidates.most[vnf]; i++) {
            isWorth[vnf][byWorth.get(i)] = true;
            sum -= worth[byWorth.get(i)];
        }
        return sum;
    }

    /** Moves all v along the subgradient, so far that the bound would rise by {@code gap} if it were linear. */
    private void step(final double gap) {
        long square = 0;
        for (final int vnf : candidates.vnfs) {
            for (final var use : candidates.uses.get(vnf)) {
                for (int candidate = 0; candidate < isWorth[vnf].length; candidate++) {
                    final int slope = slope(vnf, use, candidate);
                    square += slope != 0 && !isIdle(vnf, use, candidate, slope) ? 1 : 0;
                }
            }
        }
        final double length = square == 0 ? 0 : gap / square;
        for (final int vnf : candidates.vnfs) {
            for (final var use : candidates.uses.get(vnf)) {
                final var surcharge = surcharges[use.chain()][use.layer()];
                for (int candidate = 0; candidate < isWorth[vnf].length; candidate++) {
                    final int position = candidates.old[vnf] + candidate;
                    surcharge[position] = Math.max(0, surcharge[position] + length * slope(vnf, use, candidate));
                }
            }
        }
    }

    private int slope(final int vnf, final Candidates.Use use, final int candidate) {
        final int goes = routes[use.chain()][use.layer()] == candidates.old[vnf] + candidate ? 1 : 0;
        return goes - (isWorth[vnf][candidate] ? 1 : 0);
    }

    /** Whether a v is 0 and would fall. */
    private boolean isIdle(final int vnf, final Candidates.Use use, final int candidate, final int slope) {
        return slope < 0 && surcharges[use.chain()][use.layer()][candidates.old[vnf] + candidate] <= 0;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.model.Additions;

/**
 * The first half of capacity planning: chains are routed with the same addition for each site. It looks on, and tells
 * the observer of the whole what that is worth: the scale is one that additions reach, and prices bound it for all of
 * them.
 *
 * <p>At prices q_r of rows of capacity d_r with the addition, and c_r without, a bit or cycle costs as much as at
 * prices p_r = q_r c_r / d_r of the rows without; so the cheapest routes are the same and cost the same. The bound for
 * this addition is the sum of the q_r over that cost, and the one for all, see {@link Expansion}, is the norm of p over
 * it.
 */
final class UniformStart implements Observer {
    private final Instance present;
    private final Instance grown;
    private final Expansion expansion;
    private final Observer whole;
    private double bound = Double.POSITIVE_INFINITY;

    /**
     * Before the first round.
     *
     * @param total of all additions, in cycles per second, more than 0
     * @param whole told of each round
     */
    UniformStart(final Instance present, final long total, final Observer whole) {
        this.present = present;
        this.whole = whole;
        final var problem = present.problem();
        grown = Instance.of(Additions.uniform(problem, total).applyTo(problem), present.underlay());
        expansion = new Expansion(present, total);
    }

    /** What is to be routed in this half. */
    Instance grown() {
        return grown;
    }

    /** What the other half is about. */
    Expansion expansion() {
        return expansion;
    }

    /** No scale is larger, whatever is added. */
    double bound() {
        return bound;
    }

    @Override
    public void priced(final double proven, final double[] prices) {
        final var ofPresent = new double[prices.length];
        double sum = 0;
        for (int row = 0; row < prices.length; row++) {
            ofPresent[row] = prices[row] * present.capacity(row) / grown.capacity(row);
            sum += prices[row];
        }
        if (sum > 0) {
            bound = Math.min(bound, proven * expansion.norm(ofPresent) / sum);
        }
    }

    @Override
    public void at(final double value, final double ofUniform, final double gap) {
        whole.at(value, bound, value < bound ? 1 - value / bound : 0);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;

/** Gives up the traffic that makes rows overfull: each route obeys the fullest row that it uses, so that none is. */
final class Trimming {
    /** Overload that rounding explains. */
    private static final double HARMLESS = 1e-9;

    private final Instance instance;
    private final double[] use;
    private final Shares shares;

    /**
     * Trims routes that belong together.
     *
     * @param use what all of them take of each row, as a share of its capacity
     */
    Trimming(final Instance instance, final double[] use) {
        this.instance = instance;
        this.use = use;
        shares = new Shares(instance);
    }

    /** The share of a route's traffic that has to go. */
    double excess(final int chain, final Split split, final int index) {
        shares.clear();
        split.addTo(shares, instance.chain(chain), index, 1);
        double fullest = 1;
        for (int i = 0; i < shares.size(); i++) {
            fullest = Math.max(fullest, use[shares.row(i)]);
        }
        return fullest <= 1 + HARMLESS ? 0 : 1 - 1 / fullest;
    }

    /** A copy of a chain's routes that goes nowhere with what is too much. */
    Split trimmed(final int chain, final Split split) {
        final var copy = split.copy();
        double lost = 0;
        for (int index = 0; index < split.size(); index++) {
            final double excess = split.fraction(index) * excess(chain, split, index);
            copy.setFraction(index, split.fraction(index) - excess);
            lost += excess;
        }
        if (lost > 0) {
            final int nowhere = copy.indexOf(Split.NOWHERE, 0);
            copy.setFraction(nowhere, copy.fraction(nowhere) + lost);
        }
        return copy;
    }
}

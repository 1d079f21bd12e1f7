// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What can be had of routes at once. Where capacities grow that is all; else traffic that makes rows overfull is given
 * up: each route obeys the fullest row that it uses, so that none is.
 */
final class Trimming {
    /** Overload that rounding explains, as a share of a row's capacity. */
    private static final double HARMLESS = 1e-7;

    private final Instance instance;
    private final Relaxation relaxation;
    private final List<Split> splits;
    private final double[] use;
    private final Shares shares;

    /** Trims routes of all chains, as they are now. Measures what they use: sums that followed their changes drift. */
    Trimming(final Instance instance, final Relaxation relaxation, final List<Split> splits) {
        this.instance = instance;
        this.relaxation = relaxation;
        this.splits = splits;
        use = Shares.ofAll(instance, splits);
        shares = new Shares(instance);
    }

    /** Value of {@link #routes}; infinite if something has to be trimmed where that is no choice. */
    double value() {
        if (relaxation.growsCapacity()) {
            return relaxation.fit(use, new double[use.length]);
        }
        double sum = 0;
        for (int chain = 0; chain < splits.size(); chain++) {
            final var split = splits.get(chain);
            for (int index = 0; index < split.size(); index++) {
                final double kept = kept(chain, index);
                sum += split.fraction(index) * (kept * relaxation.ownCost(instance, chain, split, index)
                    + (kept < 1 ? (1 - kept) * relaxation.skipCost(chain) : 0));
            }
        }
        return sum;
    }

    /** Copies of the routes, which go nowhere with what is too much. */
    List<Split> routes() {
        return IntStream.range(0, splits.size()).mapToObj(chain -> relaxation.growsCapacity()
            ? splits.get(chain).copy() : trimmed(chain)).toList();
    }

    private Split trimmed(final int chain) {
        final var split = splits.get(chain);
        final var copy = split.copy();
        double lost = 0;
        for (int index = 0; index < split.size(); index++) {
            final double kept = kept(chain, index);
            copy.setFraction(index, split.fraction(index) * kept);
            lost += split.fraction(index) * (1 - kept);
        }
        if (lost > 0) {
            final int nowhere = copy.indexOf(Split.NOWHERE, 0);
            copy.setFraction(nowhere, copy.fraction(nowhere) + lost);
        }
        return copy;
    }

    /** The share of a route's traffic that may stay. */
    private double kept(final int chain, final int index) {
        shares.clear();
        splits.get(chain).addTo(shares, instance.chain(chain), index, 1);
        double fullest = 1;
        for (int i = 0; i < shares.size(); i++) {
            fullest = Math.max(fullest, use[shares.row(i)]);
        }
        return fullest <= 1 + HARMLESS ? 1 : 1 / fullest;
    }
}

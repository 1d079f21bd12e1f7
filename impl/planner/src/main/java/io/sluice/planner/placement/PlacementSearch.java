// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.placement;

import io.sluice.planner.core.Detours;
import io.sluice.planner.core.Prices;
import io.sluice.planner.core.Slices;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.placement.Candidates.Use;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Good sites for all VNFs at given prices of capacities. VNF after VNF, with the others where they are, is a k-median
 * problem over the chains that use it: what each of them would pay for a route through each site, by recurrence (8)
 * from both ends. It is solved greedily and then by exchange of one site for another, until no VNF finds better sites.
 * Until its turn comes, a VNF that is nowhere yet is taken to be at all its candidates: chains may use several of them.
 */
final class PlacementSearch {
    private static final int MAX_SWEEPS = 10;
    /** Relative; smaller savings are rounding. */
    private static final double WORTHWHILE = 1e-9;

    private final Candidates candidates;
    private final boolean[][] isOpen;
    private final Limits limits;
    /** Where all candidates are open, and where only those are that were chosen. */
    private final Prices free;
    private final Prices chosen;

    /**
     * Begins with a choice, which is changed.
     *
     * @param ofRow price of the whole capacity of each row, in the unit of (3)
     */
    PlacementSearch(final Candidates candidates, final boolean[][] isOpen, final double[] ofRow,
            final Limits limits) {
        this.candidates = candidates;
        this.isOpen = isOpen;
        this.limits = limits;
        free = candidates.prices(ofRow);
        chosen = candidates.prices(ofRow);
        for (final int vnf : candidates.vnfs) {
            if (candidates.isPresent(vnf) || IntStream.range(0, isOpen[vnf].length).anyMatch(at -> isOpen[vnf][at])) {
                show(vnf);
            }
        }
    }

    /** Searches until nothing gets better, or it is stopped. */
    void run() {
        boolean isBetter = true;
        for (int sweep = 0; isBetter && sweep < MAX_SWEEPS; sweep++) {
            isBetter = false;
            for (final int vnf : candidates.vnfs) {
                if (limits.isStopped().getAsBoolean()) {
                    return;
                }
                isBetter |= place(vnf);
            }
        }
    }

    private void show(final int vnf) {
        for (int candidate = 0; candidate < isOpen[vnf].length; candidate++) {
            chosen.setOpen(candidates.first[vnf] + candidate, isOpen[vnf][candidate]);
        }
    }

    private boolean place(final int vnf) {
        final var uses = candidates.uses.get(vnf);
        final var through = new double[uses.size()][];
        Slices.forEach(through.length, limits.threads(), (thread, use) -> through[use] = through(uses.get(use)));
        final var median = new Median(through, candidates.old[vnf], candidates.most[vnf]);
        final var better = median.choose();
        final boolean isBetter = median.cost(better) < median.cost(isOpen[vnf]) * (1 - WORTHWHILE);
        if (isBetter) {
            isOpen[vnf] = better;
        }
        show(vnf);
        return isBetter;
    }

    private double[] through(final Use use) {
        return Detours.through(candidates.instance.chain(use.chain()), use.layer(), free, chosen);
    }

    /**
     * One VNF: chains pay least[c] where it is already, or extra[c][s] at a candidate; so much more than any of these
     * that it comes first, but not so much that these drown in it, where they can't be served.
     */
    private static final class Median {
        private static final double UNSERVED = 1e6;
        private static final double UNREACHABLE = 1e100;
        private final double[] least;
        private final double[][] extra;
        private final int most;

        Median(final double[][] through, final int old, final int most) {
            this.most = most;
            final double unserved = UNSERVED * (1 + Arrays.stream(through).flatMapToDouble(Arrays::stream)
                .filter(cost -> cost < UNREACHABLE).max().orElse(0));
            least = Arrays.stream(through).mapToDouble(costs ->
                Math.min(unserved, Arrays.stream(costs, 0, old).min().orElse(unserved))).toArray();
            extra = Arrays.stream(through).map(costs -> Arrays.stream(costs, old, costs.length)
                .map(cost -> Math.min(unserved, cost)).toArray()).toArray(double[][]::new);
        }

        boolean[] choose() {
            final var open = new boolean[extra.length == 0 ? 0 : extra[0].length];
            final var paid = least.clone();
            for (int number = 0; number < most && number < open.length; number++) {
                final int best = bestBeside(open, paid);
                if (best < 0) {
                    break;
                }
                open[best] = true;
                pay(paid, best);
            }
            while (exchange(open)) {
                // until no site is worth another one
            }
            return open;
        }

        double cost(final boolean[] open) {
            return Arrays.stream(paid(open, -1)).sum();
        }

        /** Exchanges one site for a better one, if there is any; whether there was. */
        private boolean exchange(final boolean[] open) {
            final double before = cost(open);
            for (int site = 0; site < open.length; site++) {
                if (open[site]) {
                    final int best = bestBeside(open, paid(open, site));
                    if (best >= 0) {
                        open[site] = false;
                        open[best] = true;
                        if (cost(open) < before * (1 - WORTHWHILE)) {
                            return true;
                        }
                        open[best] = false;
                        open[site] = true;
                    }
                }
            }
            return false;
        }

        private double[] paid(final boolean[] open, final int without) {
            final var paid = least.clone();
            for (int site = 0; site < open.length; site++) {
                if (open[site] && site != without) {
                    pay(paid, site);
                }
            }
            return paid;
        }

        private void pay(final double[] paid, final int site) {
            Arrays.setAll(paid, chain -> Math.min(paid[chain], extra[chain][site]));
        }

        /** The closed site that saves most; -1 if none saves anything. */
        private int bestBeside(final boolean[] open, final double[] paid) {
            int best = -1;
            double most = 0;
            for (int site = 0; site < open.length; site++) {
                final double saving = open[site] ? 0 : saving(paid, site);
                if (saving > most) {
                    most = saving;
                    best = site;
                }
            }
            return best;
        }

        private double saving(final double[] paid, final int site) {
            double saving = 0;
            for (int chain = 0; chain < paid.length; chain++) {
                saving += Math.max(0, paid[chain] - extra[chain][site]);
            }
            return saving;
        }
    }
}

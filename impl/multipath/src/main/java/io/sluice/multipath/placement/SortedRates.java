// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.Comparator;
import java.util.Optional;

/** The rates of flows, the smallest first. Compared as sequences of levels, so that small differences don't count. */
final class SortedRates {
    /** The one whose worst-off flow that differs gets less comes first. */
    static final Comparator<SortedRates> WORST_FIRST = (one, other) -> one.difference(other)
        .map(found -> Double.compare(found.here, found.there)).orElse(0);
    private static final double STEP = Math.log(1.01);

    /** The different rates, how many flows have each, and where these are on the scale of {@link #level}. */
    private final double[] rates;
    private final int[] flows;
    private final long[] levels;
    private int size;

    /** Two rates at the first place where their levels differ. */
    record Difference(double here, double there) { }

    /**
     * Begins without rates.
     *
     * @param most how many different ones there may be
     */
    SortedRates(final int most) {
        rates = new double[most];
        flows = new int[most];
        levels = new long[most];
    }

    /**
     * Adds flows.
     *
     * @param rate what each of them gets, no less than the ones before
     */
    void add(final double rate, final int count) {
        if (size == 0 || Double.compare(rates[size - 1], rate) != 0) {
            rates[size] = rate;
            levels[size] = level(rate);
            size++;
        }
        flows[size - 1] += count;
    }

    /** A rate on a logarithmic scale, in steps of a hundredth. */
    static long level(final double rate) {
        return Double.isInfinite(rate) ? Long.MAX_VALUE : Math.round(Math.log(Math.max(1, rate)) / STEP);
    }

    /** Where two sequences, of as many flows, first have different levels; nothing if they have the same. */
    Optional<Difference> difference(final SortedRates other) {
        int mine = 0;
        int theirs = 0;
        int done = 0;
        int doneThere = 0;
        while (mine < size && theirs < other.size) {
            if (levels[mine] != other.levels[theirs]) {
                return Optional.of(new Difference(rates[mine], other.rates[theirs]));
            }
            final int step = Math.min(flows[mine] - done, other.flows[theirs] - doneThere);
            done += step;
            doneThere += step;
            if (done == flows[mine]) {
                mine++;
                done = 0;
            }
            if (doneThere == other.flows[theirs]) {
                theirs++;
                doneThere = 0;
            }
        }
        return Optional.empty();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The rates of flows, the smallest first. Compared as sequences, in which rates that differ by less than a hundredth
 * are about equal.
 */
final class SortedRates {
    /** The one whose worst-off flow that differs gets less comes first. */
    static final Comparator<SortedRates> WORST_FIRST = (one, other) -> one.difference(other)
        .map(found -> Double.compare(found.here, found.there)).orElse(0);
    private static final double STEP = Math.log(1.01);

    private final List<Equal> rates;

    /** So many flows have this rate. */
    private record Equal(double rate, int flows, long level) {
        Equal(final double rate, final int flows) {
            this(rate, flows, SortedRates.level(rate));
        }
    }

    /** Two rates at the first place where they are not about equal. */
    record Difference(double here, double there) { }

    private SortedRates(final List<Equal> rates) {
        this.rates = rates;
    }

    /** The rates of all flows of some channels: what each of them gets, and how many they are. */
    static SortedRates of(final double[] rates, final int[] flows) {
        return new SortedRates(IntStream.range(0, rates.length).mapToObj(i -> new Equal(rates[i], flows[i]))
            .sorted(Comparator.comparingDouble(Equal::rate)).toList());
    }

    /** A rate on a logarithmic scale, in steps of a hundredth. */
    static long level(final double rate) {
        return Double.isInfinite(rate) ? Long.MAX_VALUE : Math.round(Math.log(Math.max(1, rate)) / STEP);
    }

    /** Where two sequences, of as many flows, differ first; nothing if they are about equal. */
    Optional<Difference> difference(final SortedRates other) {
        int mine = 0;
        int theirs = 0;
        int done = 0;
        int doneThere = 0;
        while (mine < rates.size() && theirs < other.rates.size()) {
            final var here = rates.get(mine);
            final var there = other.rates.get(theirs);
            if (here.level != there.level) {
                return Optional.of(new Difference(here.rate, there.rate));
            }
            final int step = Math.min(here.flows - done, there.flows - doneThere);
            done += step;
            doneThere += step;
            if (done == here.flows) {
                mine++;
                done = 0;
            }
            if (doneThere == there.flows) {
                theirs++;
                doneThere = 0;
            }
        }
        return Optional.empty();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.slots;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Slots shared out over places, servers or paths, by weight. */
public final class SlotShares {
    /** A slot that has no place. */
    public static final int NONE = -1;

    private SlotShares() {
        // functions only
    }

    /**
     * How many of {@code slots} each place gets by largest remainder, so that no count is off its exact share by a
     * whole slot; of equal remainders the first counts. Equal counts if no place has any weight.
     *
     * @param weights 0 or more; their sum times {@code slots} fits into a long
     */
    public static int[] counts(final long[] weights, final int slots) {
        final long total = Arrays.stream(weights).sum();
        if (total == 0 && weights.length > 0) {
            final long[] equal = new long[weights.length];
            Arrays.fill(equal, 1);
            return counts(equal, slots);
        }
        final int[] counts = Arrays.stream(weights)
            .mapToInt(weight -> (int) (Math.multiplyExact(weight, slots) / total)).toArray();
        final int left = weights.length == 0 ? 0 : slots - Arrays.stream(counts).sum();
        IntStream.range(0, weights.length).boxed()
            .sorted(Comparator.comparingLong((Integer place) -> -(weights[place] * slots % total))).limit(left)
            .forEach(place -> counts[place]++);
        return counts;
    }

    /**
     * Gives each slot a place, by {@code counts}: a slot stays where it is unless it may move and too many are there;
     * one without a place goes where most are missing, as a part of the count, so that neighbours are spread.
     *
     * @param current place of each slot, or {@link #NONE}
     * @param movable which of them may move
     * @param counts wanted, of each place; their sum is the number of slots, or there is no place
     */
    public static int[] assign(final int[] current, final boolean[] movable, final int[] counts) {
        final int[] places = current.clone();
        final int[] missing = counts.clone();
        Arrays.stream(current).filter(place -> place != NONE).forEach(place -> missing[place]--);
        for (int slot = places.length - 1; slot >= 0; slot--) {
            if (places[slot] != NONE && movable[slot] && missing[places[slot]] < 0) {
                missing[places[slot]]++;
                places[slot] = NONE;
            }
        }
        for (int slot = 0; slot < places.length && counts.length > 0; slot++) {
            if (places[slot] == NONE) {
                places[slot] = IntStream.range(0, counts.length).boxed().max(Comparator
                    .comparingDouble((Integer place) -> (double) missing[place] / Math.max(1, counts[place]))
                    .thenComparing(Comparator.reverseOrder())).orElseThrow();
                missing[places[slot]]--;
            }
        }
        return places;
    }
}

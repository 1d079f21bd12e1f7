// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.slots;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlotSharesTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void remaindersDecide() {
        assertArrayEquals(new int[] {6, 5, 3, 2}, SlotShares.counts(new long[] {4, 3, 2, 1}, 16));
        assertArrayEquals(new int[] {2, 1, 1}, SlotShares.counts(new long[] {1, 1, 1}, 4));
        assertArrayEquals(new int[] {0, 2}, SlotShares.counts(new long[] {0, 7}, 2));
        assertArrayEquals(new int[] {4, 4}, SlotShares.counts(new long[] {0, 0}, 8));
        assertArrayEquals(new int[0], SlotShares.counts(new long[0], 8));
    }

    @Test
    void noShareIsOffByAWholeSlotAndTheSumOfSquaresIsLeast() {
        for (int round = 0; round < 2000; round++) {
            final long[] weights = random.longs(1 + random.nextInt(8), 0, 100_000_000_000L).toArray();
            final int slots = 2 << random.nextInt(6);
            final long total = Arrays.stream(weights).sum();
            final int[] counts = SlotShares.counts(weights, slots);
            assertEquals(slots, Arrays.stream(counts).sum(), () -> "seed " + seed);
            final double[] exact = Arrays.stream(weights).mapToDouble(weight -> (double) weight * slots / total)
                .toArray();
            for (int place = 0; place < counts.length; place++) {
                assertTrue(Math.abs(counts[place] - exact[place]) < 1, () -> "seed " + seed);
            }
            for (int from = 0; from < counts.length; from++) {
                for (int to = 0; to < counts.length; to++) {
                    assertTrue(from == to || counts[from] - exact[from] - counts[to] + exact[to] <= 1 + 1e-6,
                        () -> "seed " + seed);
                }
            }
        }
    }

    @Test
    void neighboursAreSpread() {
        assertArrayEquals(new int[] {0, 1, 0, 1, 0, 1, 0, 1}, SlotShares.assign(filled(8, SlotShares.NONE),
            new boolean[8], new int[] {4, 4}));
        assertArrayEquals(new int[] {0, 1, 0, 0}, SlotShares.assign(filled(4, SlotShares.NONE), new boolean[4],
            new int[] {3, 1}));
    }

    @Test
    void whatMayNotMoveStaysAndTheOthersMakeUpForIt() {
        for (int round = 0; round < 2000; round++) {
            final int places = 1 + random.nextInt(5);
            final int slots = 2 << random.nextInt(5);
            final int[] counts = SlotShares.counts(random.longs(places, 1, 100).toArray(), slots);
            final int[] current = random.ints(slots, SlotShares.NONE, places).toArray();
            final boolean[] movable = new boolean[slots];
            IntStream.range(0, slots).forEach(slot -> movable[slot] = random.nextBoolean());
            final int[] assigned = SlotShares.assign(current, movable, counts);
            final int[] fixed = new int[places];
            final int[] now = new int[places];
            for (int slot = 0; slot < slots; slot++) {
                now[assigned[slot]]++;
                if (current[slot] != SlotShares.NONE && !movable[slot]) {
                    fixed[current[slot]]++;
                    assertEquals(current[slot], assigned[slot], () -> "seed " + seed);
                }
                if (current[slot] != SlotShares.NONE && assigned[slot] != current[slot]) {
                    assertTrue(now(current, current[slot]) > counts[current[slot]], () -> "seed " + seed);
                }
            }
            for (int place = 0; place < places; place++) {
                assertTrue(now[place] <= Math.max(counts[place], fixed[place]), () -> "seed " + seed);
            }
        }
    }

    private static long now(final int[] current, final int place) {
        return Arrays.stream(current).filter(at -> at == place).count();
    }

    private static int[] filled(final int slots, final int place) {
        final int[] places = new int[slots];
        Arrays.fill(places, place);
        return places;
    }
}

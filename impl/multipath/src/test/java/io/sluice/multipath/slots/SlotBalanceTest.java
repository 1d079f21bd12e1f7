// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.slots;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlotBalanceTest {
    private static final double GAIN = 0.1;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void aBusySlotLeavesThePathOfAnotherOne() {
        assertArrayEquals(new int[] {1, 0, 0, 1}, SlotBalance.corrected(new double[] {10, 10, 1, 1},
            new int[] {0, 0, 0, 1}, all(4), new long[] {1, 1}, GAIN));
    }

    @Test
    void weightsCount() {
        assertArrayEquals(new int[] {0, 0, 0, 1}, SlotBalance.corrected(new double[] {1, 1, 1, 1},
            new int[] {0, 1, 0, 1}, all(4), new long[] {3, 1}, GAIN));
    }

    @Test
    void aSmallGainIsNotWorthAMove() {
        assertArrayEquals(new int[] {0, 0, 1}, SlotBalance.corrected(new double[] {10, 0.5, 9.4},
            new int[] {0, 0, 1}, all(3), new long[] {1, 1}, GAIN));
    }

    @Test
    void slotsThatStayOrAreLeftOutDont() {
        assertArrayEquals(new int[] {0, 0, SlotShares.NONE}, SlotBalance.corrected(new double[] {5, 5, 5},
            new int[] {0, 0, SlotShares.NONE}, new boolean[] {false, false, true}, new long[] {1, 1}, GAIN));
    }

    @Test
    void nothingCarriedMovesNothing() {
        assertArrayEquals(new int[] {0, 0}, SlotBalance.corrected(new double[2], new int[2], all(2),
            new long[] {0, 0}, GAIN));
    }

    /** Where slots may move, a path is never much fuller than the average and one slot: what lists of jobs achieve. */
    @Test
    void theFullestPathIsWithinASlotOfTheAverage() {
        for (int round = 0; round < 500; round++) {
            final int paths = 2 + random.nextInt(3);
            final int slots = 8 << random.nextInt(3);
            final long[] weights = new long[paths];
            Arrays.fill(weights, 1);
            final double[] rates = random.doubles(slots, 0.1, 10).toArray();
            final int[] after = SlotBalance.corrected(rates, random.ints(slots, 0, paths).toArray(), all(slots),
                weights, 0);
            final double[] loads = new double[paths];
            IntStream.range(0, slots).forEach(slot -> loads[after[slot]] += rates[slot]);
            final double average = Arrays.stream(rates).sum() / paths;
            final double largest = Arrays.stream(rates).max().orElseThrow();
            assertEquals(slots, after.length);
            assertTrue(Arrays.stream(loads).max().orElseThrow() <= average + 2 * largest, () -> "seed " + seed);
        }
    }

    private static boolean[] all(final int slots) {
        final boolean[] movable = new boolean[slots];
        Arrays.fill(movable, true);
        return movable;
    }
}

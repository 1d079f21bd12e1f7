// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SplitTest {
    @Test
    void roundsToAMillionExactly() {
        assertArrayEquals(new long[] {333_334, 333_333, 333_333}, split(1.0 / 3, 1.0 / 3, 1.0 / 3).ppm());
    }

    @Test
    void roundsWhatIsNotAll() {
        assertArrayEquals(new long[] {166_667, 166_666}, split(1.0 / 6, 1.0 / 6).ppm());
    }

    @Test
    void theLargestRemainderIsRoundedUp() {
        assertArrayEquals(new long[] {200_000, 300_001, 499_999}, split(0.2000001, 0.3000006, 0.4999993).ppm());
    }

    @Test
    void theDominantRouteCarriesMost() {
        assertEquals(1, split(0.2, 0.5, 0.3).dominant());
        assertEquals(0, split(0.6, 0.1, 0.3).dominant());
        assertEquals(-1, split().dominant());
    }

    private static Split split(final double... fractions) {
        final var split = new Split();
        for (int route = 0; route < fractions.length; route++) {
            split.setFraction(split.indexOf(new int[] {route}, 1), fractions[route]);
        }
        return split;
    }
}

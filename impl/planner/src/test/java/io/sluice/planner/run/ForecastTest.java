// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ForecastTest {
    private static final long LEFT_MS = 60_000;

    /** A tenth each second: from a hundredth, a ten-thousandth is two seconds away. */
    @Test
    void theGapGoesOnToShrinkAsItDid() {
        assertEquals(Optional.of(2_000L), Forecast.remainingMs(gaps(1, 0.1, 0.01), 1e-4, LEFT_MS));
    }

    /** It shrank by a tenth a second at first, and a hundredth a second since. */
    @Test
    void theLaterHalfOfTheRunCounts() {
        assertEquals(Optional.of(1_000L), Forecast.remainingMs(gaps(1, 0.1, 0.01, 1e-4, 1e-6), 1e-8, LEFT_MS));
    }

    @Test
    void aRunNeverGoesOnBeyondItsTimeLimit() {
        assertEquals(Optional.of(500L), Forecast.remainingMs(gaps(1, 0.1, 0.01), 1e-4, 500));
        assertEquals(Optional.of(LEFT_MS), Forecast.remainingMs(gaps(0.1, 0.1, 0.1), 1e-4, LEFT_MS));
        assertEquals(Optional.of(LEFT_MS), Forecast.remainingMs(gaps(1, 0.1, 0.01), 0, LEFT_MS));
    }

    @Test
    void aRunThatShouldHaveEndedHasNoTimeLeft() {
        for (final double gap : new double[] {0, 1e-4, 0.5}) {
            assertEquals(Optional.of(0L), Forecast.remainingMs(gaps(1, 0.1, 0.01), gap, -5));
            assertEquals(Optional.of(0L), Forecast.remainingMs(gaps(0.6, 0.6, 0.6), gap, -5));
        }
        assertEquals(Optional.of(0L), Forecast.remainingMs(gaps(1, 0.1, 0), 0, LEFT_MS));
    }

    @Test
    void nobodyCanTellFromASingleStep() {
        assertEquals(Optional.empty(), Forecast.remainingMs(gaps(), 1e-4, LEFT_MS));
        assertEquals(Optional.empty(), Forecast.remainingMs(gaps(1), 1e-4, LEFT_MS));
    }

    /** A step each second. */
    private static List<Progress> gaps(final double... gaps) {
        return IntStream.range(0, gaps.length).mapToObj(step -> new Progress(1_000L * step, 1, 1, gaps[step])).toList();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time is passed by hand. */
class PaceTest {
    private final Pace pace = new Pace();

    @Test
    void withoutARateNothingWaits() {
        assertFalse(pace.isSet());
        pace.sent(1 << 30, 0);
        assertEquals(0, pace.waitNs(0));
        assertEquals(Integer.MAX_VALUE, pace.turnBytes());
    }

    @ParameterizedTest
    @ValueSource(longs = {1000, 100_000, 2_000_000, 1_000_000_000, 100_000_000_000L, 10_000_000_000_000L})
    void aMeterOfTheSameRateHasNothingToDrop(final long rate) {
        final long seed = rate + 7;
        final var random = new Random(seed);
        pace.set(rate, 0);
        long nowNs = 0;
        double bucketBits = bucketBits(rate);
        double frames = 0;
        for (int turn = 0; turn < 2000; turn++) {
            final long passedNs = pace.waitNs(nowNs) + random.nextInt(20_000_000);
            nowNs += passedNs;
            bucketBits = Math.min(bucketBits(rate), bucketBits + rate * (passedNs / 1e9));
            final int bytes = 1 + random.nextInt(pace.turnBytes());
            pace.sent(bytes, nowNs);
            final double bits = 8.0 * (bytes + Pace.HEADER_BYTES * Math.ceil((double) bytes / Pace.SEGMENT_BYTES));
            bucketBits -= bits;
            frames += bits;
            assertTrue(bucketBits >= 0, "seed " + seed + ", turn " + turn + " finds " + bucketBits);
        }
        assertTrue(frames <= rate * (nowNs / 1e9) + bucketBits(rate));
    }

    /** Four full frames, or what 400 ms bring. */
    private static double bucketBits(final long rate) {
        return Math.max(4 * 8 * 1514, rate * 0.4);
    }

    @Test
    void nearlyAllOfTheRateIsUsedEvenByWhoComesALittleLate() {
        pace.set(1_000_000, 0);
        long nowNs = 0;
        long bytes = 0;
        while (nowNs < TimeUnit.SECONDS.toNanos(60)) {
            nowNs += pace.waitNs(nowNs) + TimeUnit.MILLISECONDS.toNanos(3);
            bytes += pace.turnBytes();
            pace.sent(pace.turnBytes(), nowNs);
        }
        final double frames = bytes * 8.0 * (Pace.SEGMENT_BYTES + Pace.HEADER_BYTES) / Pace.SEGMENT_BYTES;
        assertEquals(Pace.USED, frames / 60e6, 0.002);
    }

    @Test
    void aNewRateCountsAtOnce() {
        pace.set(1000, 0);
        pace.sent(Pace.SEGMENT_BYTES, 0);
        assertTrue(pace.waitNs(0) > TimeUnit.SECONDS.toNanos(12));
        pace.set(1000, 5);
        assertTrue(pace.waitNs(5) > TimeUnit.SECONDS.toNanos(12));
        pace.set(1_000_000, 5);
        assertEquals(0, pace.waitNs(5));
        pace.sent(Pace.SEGMENT_BYTES, 5);
        assertEquals(12.36, pace.waitNs(5) / 1e6, 0.01);
        pace.set(0, 6);
        assertEquals(0, pace.waitNs(6));
    }
}

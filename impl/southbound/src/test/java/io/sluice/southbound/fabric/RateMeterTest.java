// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import org.junit.jupiter.api.Test;

class RateMeterTest {
    private static final long SECOND = 1_000_000_000L;

    private final RateMeter meter = new RateMeter();

    @Test
    void firstReadingTellsNoRate() {
        assertEquals(Bandwidth.ZERO, meter.read(1_000_000, 5 * SECOND));
    }

    @Test
    void rateIsTheMeanSinceTheReadingBefore() {
        meter.read(1000, 0);

        assertEquals(new Bandwidth(8 * 500), meter.read(2000, 2 * SECOND));
        assertEquals(Bandwidth.ZERO, meter.read(2000, 3 * SECOND));
    }

    @Test
    void counterThatFellCountsFromZero() {
        meter.read(1_000_000, 0);

        assertEquals(new Bandwidth(8 * 300), meter.read(300, SECOND));
        assertEquals(new Bandwidth(8 * 100), meter.read(400, 2 * SECOND));
    }

    @Test
    void twoReadingsAtOneTimeTellNoRate() {
        meter.read(0, SECOND);

        assertEquals(Bandwidth.ZERO, meter.read(100, SECOND));
    }
}

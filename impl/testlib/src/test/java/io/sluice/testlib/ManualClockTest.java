// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ManualClockTest {
    private final ManualClock clock = new ManualClock();

    @Test
    void movesOnlyWhenToldAndOnlyForward() {
        assertEquals(0, clock.getAsLong());

        clock.advance(Duration.ofMillis(1500));

        assertEquals(1_500_000_000L, clock.getAsLong());
        assertEquals(Instant.EPOCH.plusMillis(1500), clock.instant());
        assertThrows(IllegalArgumentException.class, () -> clock.advance(Duration.ofNanos(-1)));
    }
}

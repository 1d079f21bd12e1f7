// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is worth a line in the log. */
class WarningsTest {
    private Instant now = Instant.EPOCH;
    private final Warnings warnings = new Warnings(() -> now);

    @Test
    void aThingIsToldOnce() {
        assertTrue(warnings.isDue("x"));
        now = now.plusSeconds(3600);
        assertFalse(warnings.isDue("x"));
        assertTrue(warnings.isDue("y"));
    }

    @Test
    void manyThingsAreToldSoManyAMinuteAndTheOthersLater() {
        assertEquals(Warnings.BURST, IntStream.range(0, 1000).filter(i -> warnings.isDue("x" + i)).count());
        now = now.plusSeconds(59);
        assertFalse(warnings.isDue("x999"));
        now = now.plusSeconds(1);
        assertTrue(warnings.isDue("x999"));
    }
}

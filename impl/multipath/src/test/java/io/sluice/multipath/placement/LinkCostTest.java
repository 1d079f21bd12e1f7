// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkCostTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 10_000_000, 400_000_000_000L, Long.MAX_VALUE})
    void idleLinkCostsAHopAndAFullOneSixtyFour(final long capacity) {
        assertEquals(LinkCost.IDLE, LinkCost.of(0, capacity));
        assertEquals(64 * LinkCost.IDLE, LinkCost.of(capacity, capacity));
    }

    @Test
    void costNeverFallsAsTheLoadGrowsAndEndsAtFull() {
        final var capacity = Bandwidth.ofMegabits(10);
        long before = LinkCost.IDLE;
        for (long load = 0; load <= 12_000_000; load += 1_000) {
            final long cost = LinkCost.of(new Bandwidth(load), capacity);
            assertTrue(before <= cost && cost <= LinkCost.FULL, load + " bit/s cost " + cost);
            before = cost;
        }
        assertEquals(LinkCost.FULL, before);
    }

    @Test
    void halfFullLinkCostsTwoHopsWhateverItsSpeed() {
        assertEquals(2 * LinkCost.IDLE, LinkCost.of(5, 10));
        assertEquals(2 * LinkCost.IDLE, LinkCost.of(50_000_000_000L, 100_000_000_000L));
    }

    @Test
    void linkWithoutCapacityIsFull() {
        assertEquals(LinkCost.FULL, LinkCost.of(Bandwidth.ZERO, Bandwidth.ZERO));
        assertEquals(LinkCost.FULL, LinkCost.of(Long.MAX_VALUE, 1));
    }
}

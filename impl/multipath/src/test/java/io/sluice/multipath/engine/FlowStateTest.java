// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;
import io.sluice.multipath.engine.FlowState.Reason;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlowStateTest {
    private static final long SECOND_NS = 1_000_000_000;

    @Test
    void isTakenToWantWhatWasAskedForUntilItCarriesSomething() {
        final var asked = Optional.of(Bandwidth.ofMegabits(3));
        assertEquals(asked, flow(asked, Usage.none(0)).limit());
        assertEquals(Optional.empty(), flow(Optional.empty(), Usage.none(0)).limit());
        assertEquals(asked, carrying(asked, 1_000_000).limit());
        assertEquals(Optional.of(Bandwidth.ZERO), carrying(asked, 0).limit());
    }

    @Test
    void isTakenToWantTwiceWhatItCarriesInStepsOfAnEighth() {
        for (long bytes = 1; bytes < 1L << 40; bytes = bytes * 9 / 8 + 1) {
            final long carried = 8 * bytes;
            final long limit = limit(bytes);
            assertTrue(limit >= 2 * carried && limit <= 2.25 * carried, limit + " bit/s for " + carried);
        }
        assertEquals(9, IntStream.rangeClosed(1000, 2000).mapToLong(FlowStateTest::limit).distinct().count());
    }

    private static long limit(final long bytes) {
        return carrying(Optional.empty(), bytes).limit().orElseThrow().bitsPerSecond();
    }

    /** A flow that carried so many bytes in its first second. */
    private static FlowState carrying(final Optional<Bandwidth> wanted, final long bytes) {
        final var traffic = new Traffic(1, bytes);
        return flow(wanted, Usage.none(0).sampled(traffic, traffic, SECOND_NS));
    }

    private static FlowState flow(final Optional<Bandwidth> wanted, final Usage usage) {
        return new FlowState(null, null, null, wanted, new Reason(Optional.empty()), Instant.EPOCH, 0, 0, usage,
            Optional.empty());
    }
}

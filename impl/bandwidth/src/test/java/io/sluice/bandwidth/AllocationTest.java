// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.Allocation.FlowRate;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AllocationTest {
    @Test
    void utilityIsTheRateAsPartOfTheDemand() {
        assertEquals(OptionalLong.of(250_000), utility(1_000, Optional.of(4_000L)));
        assertEquals(OptionalLong.of(0), utility(0, Optional.of(1L)));
        assertEquals(OptionalLong.empty(), utility(1_000, Optional.empty()));
    }

    @Test
    void whoWantsNothingHasEnoughEvenOfNothing() {
        assertEquals(OptionalLong.of(Long.MAX_VALUE), utility(0, Optional.of(0L)));
        assertEquals(OptionalLong.of(Long.MAX_VALUE), utility(1_000, Optional.of(0L)));
    }

    private static OptionalLong utility(final long rate, final Optional<Long> demand) {
        return new FlowRate(new FlowId(new ApplicationId("t", "a"), "f"), new Bandwidth(rate), Optional.empty(),
            demand.map(Bandwidth::new), false).utilityPpm();
    }
}

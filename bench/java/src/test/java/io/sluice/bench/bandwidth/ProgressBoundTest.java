// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bandwidth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.AllocatableLink.Role;
import io.sluice.bandwidth.Allocation.Allocated;
import io.sluice.bandwidth.AppMaxMin;
import io.sluice.bandwidth.Application;
import io.sluice.bandwidth.Flow;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.Round;
import io.sluice.bandwidth.Tenant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProgressBoundTest {
    private static final int SECOND_US = 1_000_000;

    @Test
    void equalApplicationsHaveEqualPartsOfTheirLinkAtMost() {
        assertEquals(0.5, ProgressBound.of(round(10, 10)), 1e-6);
        assertEquals(1, ProgressBound.of(round(2, 3)), 1e-3);
    }

    /** 4 of 4, and 6 of 16 with the rest of the link. */
    @Test
    void whatOneDoesNotWantIsForTheOther() {
        assertEquals(Math.sqrt(6.0 / 16), ProgressBound.of(round(4, 16)), 1e-3);
    }

    @Test
    void noRatesExceedIt() {
        for (int seed = 0; seed < 5; seed++) {
            final var round = StreamWorkload.round(4, 10, seed);
            final var rates = ((Allocated) new AppMaxMin().allocate(round)).flows().iterator();
            final double mean = round.tenants().getFirst().applications().stream()
                .mapToDouble(application -> Math.log(application.flows().stream()
                    .mapToDouble(flow -> Math.min(1, rates.next().utilityPpm().orElseThrow() / 1e6)).min()
                    .orElseThrow())).average().orElseThrow();
            assertTrue(Math.exp(mean) <= ProgressBound.of(round), "seed " + seed);
        }
    }

    /** Applications that want so many megabits per second of a link of 10. */
    private static Round round(final int... megabits) {
        return new Round(List.of(new AllocatableLink("l", Role.UPLINK, Bandwidth.ofMegabits(10))),
            List.of(new Tenant("t", 1, IntStream.range(0, megabits.length).mapToObj(i -> new Application("a" + i, 1,
                List.of(Flow.of("f", List.of("l"), Optional.of(new FlowReport(megabits[i] * 125_000L, 0, 0, 0, 0))))))
                .toList())), SECOND_US);
    }
}

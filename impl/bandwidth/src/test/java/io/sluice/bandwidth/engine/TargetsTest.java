// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.config;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.id;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.AllocatableLink.Role;
import io.sluice.bandwidth.Allocation.Allocated;
import io.sluice.bandwidth.MaxMinRates;
import io.sluice.bandwidth.PathShare;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flow a has an uplink of 4 Mbit/s for itself, and shares a cable of 10 with flow b. */
class TargetsTest {
    private static final List<AllocatableLink> LINKS = List.of(
        new AllocatableLink("uplink", Role.UPLINK, Bandwidth.ofMegabits(4)),
        new AllocatableLink("cable", Role.INTERNAL, Bandwidth.ofMegabits(10)));
    private static final BandwidthConfig CONFIG = config(flow("a", 1, 3), flow("b", 2, 4));

    @ParameterizedTest
    @CsvSource({"0, false, 6000", "2, true, 8000"})
    void whoSharesTheLinkThatBindsItWithCrossTrafficIsMetered(final int crossMegabits, final boolean isMetered,
            final long others) {
        final var situation = Situation.of(CONFIG, CONFIG.sound(), LINKS, TargetsTest::way, flow -> Optional.empty())
            .beside(Map.of(), link -> Bandwidth.ofMegabits(link.equals("uplink") ? crossMegabits : 0));
        final var allocated = (Allocated) new MaxMinRates().allocate(situation.round());

        final var targets = new Targets(CONFIG, situation, Map.of()).of(allocated.flows());

        assertEquals(isMetered ? 2000 : Metering.UNMETERED, targets.get(id("a")).metering().kilobits());
        assertEquals(others, targets.get(id("b")).metering().kilobits());
    }

    private static Way way(final Packets packets) {
        final boolean isFirst = packets.equals(flow("a", 1, 3).packets());
        return new Way.Known(new PortId(EngineBed.node(1), isFirst ? 1 : 2), Map.of(), Set.of(),
            List.of(new PathShare(isFirst ? List.of("uplink", "cable") : List.of("cable"), 1)));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.common.util.concurrent.Futures;
import io.sluice.api.Bandwidth;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.FlowState;
import io.sluice.bandwidth.engine.Packets;
import io.sluice.bandwidth.engine.Reporting;
import io.sluice.mdsal.Notifier;
import io.sluice.testlib.Addresses;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Reallocated;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportsChanged;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.RoundRefused;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

class AnnouncerTest {
    private static final ApplicationId APPLICATION = new ApplicationId("t", "a");

    private final List<Object> told = new ArrayList<>();
    private final Announcer announcer = new Announcer(new Notifier((NotificationPublishService) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {NotificationPublishService.class}, (proxy, method, arguments) -> {
            told.add(arguments[0]);
            return Futures.immediateVoidFuture();
        })));

    @Test
    void flowsThatChangedAreToldTogetherInOrderAndThoseThatAreGoneHaveNoRate() {
        final var changed = new FlowId(APPLICATION, "z");
        final var gone = new FlowId(APPLICATION, "b");
        final var rate = new FlowRate(changed, new Bandwidth(3_000_000), Optional.of("1->2"),
            Optional.of(new Bandwidth(6_000_000)), false);
        final var packets = new Packets(Addresses.ip("10.0.0.1"), Addresses.ip("10.0.0.2"), OptionalInt.empty(),
            OptionalInt.empty(), OptionalInt.empty());
        final var flows = new LinkedHashMap<FlowId, Optional<FlowState>>();
        flows.put(changed, Optional.of(new FlowState(changed,
            new FlowConfig("z", packets, 0, 1, Bandwidth.ZERO, Optional.empty()), Optional.of(rate),
            Optional.of(new SwitchId("openflow:1")),
            Optional.of(new FlowState.MeterState(OptionalInt.of(0), OptionalLong.empty(), OptionalLong.empty(), 3000)),
            OptionalInt.empty(), Optional.empty(), Optional.empty())));
        flows.put(gone, Optional.empty());

        announcer.reallocated(flows);

        assertEquals(1, told.size());
        final var allocations = List.copyOf(
            assertInstanceOf(Reallocated.class, told.getFirst()).nonnullAllocation().values());
        assertEquals(List.of("z", "b"), allocations.stream().map(flow -> flow.getFlow().getValue()).toList());
        assertEquals(List.of("t", "a"), List.of(allocations.getFirst().getTenant().getValue(),
            allocations.getFirst().getApplication().getValue()));
        assertEquals(Uint64.valueOf(3_000_000), allocations.getFirst().getRate().getValue());
        assertEquals(Uint32.valueOf(500_000), allocations.getFirst().getUtility().getValue());
        assertEquals("1->2", allocations.getFirst().getBindingLink());
        assertEquals(Uint64.valueOf(3_000_000), allocations.getFirst().getMeterRate().getValue());
        assertEquals("openflow:1", allocations.getFirst().getSwitch().getValue());
        assertNull(allocations.getLast().getRate());
        assertNull(allocations.getLast().getStatus());
    }

    @ParameterizedTest
    @EnumSource(Reporting.class)
    void whatAnEngineDoesIsToldInTheWordsOfTheModel(final Reporting reporting) {
        announcer.heard(APPLICATION, reporting);

        assertEquals(1, told.size());
        final var change = assertInstanceOf(ReportsChanged.class, told.getFirst());
        assertEquals(List.of("t", "a", reporting.name().toLowerCase(Locale.ROOT)), List.of(
            change.getTenant().getValue(), change.getApplication().getValue(), change.getReports().getName()));
    }

    @Test
    void aRoundThatIsRefusedIsToldWithTheReason() {
        announcer.refused("guarantees overfill a link");

        assertEquals(List.of("guarantees overfill a link"), told.stream()
            .map(each -> assertInstanceOf(RoundRefused.class, each).getReason()).toList());
    }
}

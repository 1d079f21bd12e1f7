// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.MaskedIp;
import io.sluice.api.Path;
import io.sluice.api.PathLabel;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.SlotSplit;
import io.sluice.multipath.slots.SlotMask;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.multipath.steering.FlowRecord;
import io.sluice.multipath.steering.Purpose;
import io.sluice.testlib.Addresses;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordCodecTest {
    private static final SwitchId HERE = new SwitchId("openflow:1");
    private static final SwitchId THERE = new SwitchId("openflow:2");

    @ParameterizedTest
    @CsvSource({"10.9.9.9,10.0.0.2,10.1.0.5,255.255.0.15", "fd00::9,fd00::2,fd00::5,ffff::f"})
    void aSlotIsKeptWithItsMaskAndReplies(final String virtual, final String server, final String client,
            final String mask) {
        final var slot = new SlotMask(16, virtual.contains(":")).clients(5);
        final var pattern = new MaskedIp(Addresses.ip(client), Addresses.ip(mask));
        for (var replyTo : List.of(List.<MaskedIp>of(), List.of(slot), List.of(pattern))) {
            final var record = record(FlowKey.ofSlot(FlowMatch.PROTOCOL_TCP, slot, Addresses.ip(virtual), 80), server,
                replyTo);
            assertEquals(record, RecordCodec.decode(RecordCodec.encode(record)));
        }
    }

    @Test
    void aConnectionIsKeptWithoutAMask() {
        final var key = FlowKey.toPort(FlowMatch.PROTOCOL_TCP, Addresses.ip("10.0.0.1"), Addresses.ip("10.0.0.2"), 80);
        final var record = record(key, "10.0.0.2", List.of(key.clients()));
        assertNull(RecordCodec.encode(record).getClientMask());
        assertEquals(record, RecordCodec.decode(RecordCodec.encode(record)));
    }

    @Test
    void aFlowOfFragmentsIsKeptWithItsPortsOfZero() {
        final var client = Addresses.ip("10.0.0.1");
        final var server = Addresses.ip("10.0.0.2");
        final var key = FlowKey.of(new Connection(FlowMatch.PROTOCOL_UDP, client, server, 0, 0));
        final var record = record(key, "10.0.0.2", List.of(key.clients()));
        assertTrue(key.isOfFragments());
        assertEquals(record, RecordCodec.decode(RecordCodec.encode(record)));
        final var later = FlowKey.of(new Connection(FlowMatch.PROTOCOL_IPV6_FRAGMENT, Addresses.ip("fd00::1"),
            Addresses.ip("fd00::2"), 0, 0));
        final var record6 = record(later, "fd00::2", List.of(later.clients()));
        assertTrue(later.isOfFragments());
        assertEquals(record6, RecordCodec.decode(RecordCodec.encode(record6)));
    }

    @Test
    void aFlowIsKeptWithItsVlan() {
        final var key = FlowKey.of(new Connection(10, FlowMatch.PROTOCOL_UDP, Addresses.ip("10.0.0.1"),
            Addresses.ip("10.0.0.2"), 1, 2));
        final var record = record(key, "10.0.0.2", List.of(key.clients()));
        assertEquals(10, RecordCodec.encode(record).getVlan().getValue().intValue());
        assertEquals(record, RecordCodec.decode(RecordCodec.encode(record)));
    }

    @Test
    void aSplitIsShownInParts() {
        final var split = SplitCodec.slotSplit(new SlotSplit(new SlotSplit.Place("web", 80, HERE, "s1"), List.of(
            new SlotSplit.Part(new Path(HERE, HERE, List.of()), 6, 0.4, Optional.of(0.5)),
            new SlotSplit.Part(new Path(HERE, HERE, List.of()), 10, 0.6, Optional.empty()))));
        assertEquals("web", split.getService().getValue());
        assertEquals("openflow:1", split.getClientSwitch().getValue());
        final var parts = split.nonnullPath().values().stream().toList();
        assertEquals(400_000, parts.getFirst().getWantedShare().getValue().intValue());
        assertEquals(500_000, parts.getFirst().getMeasuredShare().getValue().intValue());
        assertEquals(10, parts.getLast().getSlots().intValue());
        assertNull(parts.getLast().getMeasuredShare());
    }

    private static FlowRecord record(final FlowKey key, final String server, final List<MaskedIp> replyTo) {
        return new FlowRecord(7, key, Addresses.ip(server), replyTo, HERE, THERE,
            Optional.of(new FlowRecord.Labels(new PathLabel(1), new PathLabel(2))), new Purpose("JOINT",
                Optional.empty(), Optional.of("web"), Optional.of("s1"), OptionalInt.of(1)));
    }
}

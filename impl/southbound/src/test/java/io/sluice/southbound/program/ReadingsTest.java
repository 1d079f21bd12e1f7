// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import static io.sluice.southbound.program.Bed.ONE;
import static io.sluice.southbound.program.Bed.OTHER;
import static io.sluice.southbound.program.Bed.TWO;
import static io.sluice.southbound.program.Bed.flow;
import static io.sluice.southbound.program.Bed.group;
import static io.sluice.southbound.program.Bed.meter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.api.Action;
import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Connection;
import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.api.Installation;
import io.sluice.api.MacAddress;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Packet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a claim reads from a switch: its owner's, and nobody else's. */
class ReadingsTest {
    private static final Packet PACKET = Packet.of(new MacAddress(1), new MacAddress(2), new Connection(
        FlowMatch.PROTOCOL_UDP, Addresses.ip("10.0.0.1"), Addresses.ip("10.0.0.2"), 1, 2));

    private final Bed bed = new Bed();

    @BeforeEach
    void attach() {
        bed.await(bed.attach(ONE));
    }

    @Test
    void trafficIsToldByObject() {
        declare(1, flow(1), flow(2));
        bed.switches.get(ONE).add(flow(3), OTHER.cookie(1));

        assertEquals(Map.of(1L, Traffic.NONE), bed.await(bed.claim.traffic(ONE, 0)));
        assertThrows(RuntimeException.class, () -> bed.await(bed.claim.traffic(TWO, 0)));
    }

    @Test
    void metersAreToldByTheOwnersNumbers() {
        declare(1, meter(7, 1), flow(1).meteredBy(Bed.OWNER.meterNumber(7)));
        bed.switches.get(ONE).add(new Entry.Meter(OTHER.meterNumber(7), Entry.MeterUnit.KILOBITS, 1, 1), 0);
        for (int i = 0; i < 200; i++) {
            bed.switches.get(ONE).process(1, PACKET);
        }

        final long passed = 100_000 / (Packet.LENGTH_BYTES * Byte.SIZE);
        assertEquals(Map.of(7, new Metered(Bed.OWNER.meterNumber(7), new Traffic(200, 200 * Packet.LENGTH_BYTES),
            new Traffic(200 - passed, (200 - passed) * Packet.LENGTH_BYTES))), bed.await(bed.claim.metered(ONE)));
        assertThrows(RuntimeException.class, () -> bed.await(bed.claim.metered(TWO)));
    }

    @Test
    void whatAnEarlierRunDeclaredIsToldAsItWasDeclared() {
        final var meter = meter(7, 1);
        final var metered = flow(1).meteredBy(meter.number());
        final var group = group(1, 2);
        final var grouped = flow(2, new Action.ToGroup(group.groupId()));
        declare(1, meter, metered);
        declare(2, group, grouped, flow(3));
        bed.switches.get(ONE).add(flow(4), OTHER.cookie(1));
        bed.switches.get(ONE).add(flow(5), 77);
        bed.restart();
        bed.attach(ONE);

        final var held = bed.await(bed.claim.held(ONE));

        assertEquals(Set.of(1L, 2L), held.keySet());
        assertEquals(List.of(meter, metered), held.get(1L));
        assertEquals(group, held.get(2L).getFirst());
        assertEquals(Set.of(group, grouped, flow(3)), Set.copyOf(held.get(2L)));
        assertThrows(RuntimeException.class, () -> bed.await(bed.claim.held(TWO)));
    }

    @Test
    void aReadingKeepsNothingFromBeingSent() {
        declare(1, flow(1));
        final var held = bed.claim.held(ONE);
        final var later = bed.claim.declare(2, Map.of(ONE, List.of(flow(2))));

        assertEquals(List.of(flow(1)), bed.await(held).get(1L));
        assertEquals(new Installation.InPlace(), bed.await(later));
    }

    private void declare(final long object, final Entry... entries) {
        bed.await(bed.claim.declare(object, Map.of(ONE, List.of(entries))));
    }
}

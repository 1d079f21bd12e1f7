// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.api.FlowMatch;
import io.sluice.api.Fragment;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.Pipeline;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.multipath.slots.SlotMask;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Journey;
import io.sluice.testlib.Packet;
import io.sluice.testlib.Topologies;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Hosts of several VLANs with equal addresses, beside untagged ones with the same. */
class VlansTest {
    private static final FabricSnapshot UNTAGGED = Topologies.figure10(Bandwidth.ofMegabits(1000));
    private static final InetAddress NEAR = Addresses.ipv4(UNTAGGED.hosts().get(0));
    private static final InetAddress FAR = Addresses.ipv4(UNTAGGED.hosts().get(7));
    private static final InetAddress VIRTUAL = Addresses.ip("10.255.0.1");
    private static final Connection CONNECTION = new Connection(FlowMatch.PROTOCOL_TCP, NEAR, FAR, 1000, 80);
    private static final Host NEAR_10 = host(10, 1, NEAR);
    private static final Host FAR_10 = host(10, 6, FAR);
    private static final Host NEAR_20 = host(20, 5, NEAR);
    private static final Host FAR_20 = host(20, 2, FAR);
    private static final FabricSnapshot WITH_VLANS = with(List.of(NEAR_10, FAR_10, NEAR_20, FAR_20));

    private final EngineBed bed = new EngineBed(WITH_VLANS, config());

    @Test
    void equalAddressesLiveSideBySide() {
        final var near = UNTAGGED.hosts().get(0);
        final var far = UNTAGGED.hosts().get(7);
        bed.connect(near, CONNECTION);
        bed.connect(NEAR_10, CONNECTION.in(10));
        bed.connect(NEAR_20, CONNECTION.in(20));

        assertEquals(3, bed.engine.flows().size());
        assertArrives(near, far, 0);
        assertArrives(far, near, 0);
        assertArrives(NEAR_10, FAR_10, 10);
        assertArrives(FAR_10, NEAR_10, 10);
        assertArrives(NEAR_20, FAR_20, 20);
        assertArrives(FAR_20, NEAR_20, 20);
    }

    @Test
    void aConnectionToAHostOfAnotherVlanIsRefused() {
        bed.show(with(List.of(NEAR_10, FAR_20)));
        bed.connect(NEAR_10, CONNECTION.in(10));

        assertEquals(List.of(), List.copyOf(bed.engine.flows()));
        assertTrue(bed.isBare());
    }

    @Test
    void aServiceIsForUntaggedClients() {
        final var toVirtual = new Connection(FlowMatch.PROTOCOL_TCP, NEAR, VIRTUAL, 1000, 80);
        bed.connect(NEAR_10, toVirtual.in(10));
        assertEquals(List.of(), List.copyOf(bed.engine.flows()));

        bed.connect(UNTAGGED.hosts().get(0), toVirtual);
        assertEquals(FAR, bed.engine.flows().iterator().next().record().server());
    }

    @Test
    void fragmentsOfAVlanHaveAFlowOfTheirOwnWhateverTheirAddresses() {
        final var whole = new Connection(10, FlowMatch.PROTOCOL_UDP, NEAR, FAR, 1000, 80);
        bed.hand(new FirstPacket(NEAR_10.attachment(), whole, Optional.of(new Fragment(7, true)), new byte[0]));
        bed.run();

        final var key = bed.engine.flows().iterator().next().record().key();
        assertTrue(key.isOfFragments());
        assertEquals(10, key.vlan());
        final var packet = Packet.of(NEAR_10, FAR_10, whole).cut(new Fragment(7, false));
        final var journey = bed.network.send(NEAR_10, packet);
        assertTrue(journey.endsOnlyAt(FAR_10), journey::toString);
    }

    @Test
    void aFlowFollowsItsOwnHostAndNoNamesake() {
        bed.connect(NEAR_10, CONNECTION.in(10));
        final var moved = host(10, 3, FAR);
        bed.events.clear();
        bed.show(with(List.of(NEAR_10, FAR_10, NEAR_20, host(20, 4, FAR))));
        assertEquals(List.of(), bed.events);

        bed.show(with(List.of(NEAR_10, moved, NEAR_20, FAR_20)));
        assertEquals(List.of("moved HOST_MOVED"), bed.events);
        assertEquals(moved.attachment().switchId(),
            bed.engine.flows().iterator().next().record().serverSide());
    }

    @Test
    void entriesOfAVlanAreBetweenTheFallBackForTagsAndLabels() {
        final var ping = new Connection(10, FlowMatch.PROTOCOL_ICMP, NEAR, FAR, 0, 0);
        for (var connection : List.of(CONNECTION.in(10), ping, new Fragment(1, false).matched(CONNECTION.in(10)))) {
            final var key = FlowKey.of(connection);
            for (int priority : new int[] { key.forwardPriority(), key.backwardPriority() }) {
                assertTrue(priority > Pipeline.PRIORITY_TAGGED_MISS + 2 && priority < Pipeline.PRIORITY_LABELLED);
            }
        }
    }

    @Test
    void aSlotIsOfUntaggedClients() {
        final var slot = new SlotMask(16, false).clients(5);
        assertThrows(IllegalArgumentException.class, () -> new FlowKey(10, FlowMatch.PROTOCOL_TCP, slot, VIRTUAL,
            OptionalInt.empty(), OptionalInt.of(80)));
    }

    private void assertArrives(final Host from, final Host to, final int vlan) {
        final var connection = from.addresses().contains(NEAR) ? CONNECTION : CONNECTION.reversed();
        final Journey journey = bed.send(from, to, connection.in(vlan));
        assertTrue(journey.endsOnlyAt(to), journey::toString);
    }

    /** A host of a VLAN at the port of an untagged one. */
    private static Host host(final int vlan, final int beside, final InetAddress address) {
        return new Host(vlan, new MacAddress(0x0a00_0000_0000L + 100 * vlan + beside), Set.of(address),
            UNTAGGED.hosts().get(beside).attachment());
    }

    private static FabricSnapshot with(final List<Host> tagged) {
        final var hosts = new ArrayList<>(tagged);
        hosts.addAll(UNTAGGED.hosts());
        return new FabricSnapshot(UNTAGGED.version() + tagged.hashCode(), UNTAGGED.switches(), UNTAGGED.ports(),
            UNTAGGED.links(), hosts);
    }

    private static MultipathConfig config() {
        final var service = new Service("web", FlowMatch.PROTOCOL_TCP, Optional.of(VIRTUAL), OptionalInt.empty(), 1,
            OptionalInt.empty(), Optional.empty(),
            List.of(new Server("s1", FAR, 100, 1, List.of(new ServerPort(80, 1)))), 60_000);
        return new MultipathConfig(Strategy.JOINT, 1000, new PlacerSettings(500_000, 100_000, 10_000_000_000L),
            60_000, Map.of("web", service), Map.of());
    }
}

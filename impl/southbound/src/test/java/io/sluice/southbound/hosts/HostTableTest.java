// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Connection;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PathLabel;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.hosts.HostChange.AddressAdded;
import io.sluice.southbound.hosts.HostChange.AddressLost;
import io.sluice.southbound.hosts.HostChange.Appeared;
import io.sluice.southbound.hosts.HostChange.Disallowed;
import io.sluice.southbound.hosts.HostChange.Forgotten;
import io.sluice.southbound.hosts.HostChange.Moved;
import io.sluice.southbound.packet.Ethernet;
import io.sluice.southbound.packet.Packet;
import io.sluice.southbound.packet.Packet.Lease;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostTableTest {
    private static final SwitchId SWITCH = new SwitchId("openflow:1");
    private static final PortId P1 = new PortId(SWITCH, 1);
    private static final PortId P2 = new PortId(SWITCH, 2);
    private static final PortId INNER = new PortId(SWITCH, 9);
    private static final MacAddress A = MacAddress.of("00:00:00:00:00:0a");
    private static final MacAddress B = MacAddress.of("00:00:00:00:00:0b");
    private static final InetAddress IP1 = ip("10.0.0.1");
    private static final InetAddress IP2 = ip("2001:db8::2");
    private static final InetAddress SERVICE = ip("10.0.0.100");
    private static final InetAddress SERVER = ip("10.0.0.9");
    private static final Lease LEASE = new Lease(7, IP1);
    private static final Edge EDGE = new Edge(Set.of(P1, P2), Set.of(SERVICE));
    private static final Edge WITHOUT_P1 = new Edge(Set.of(P2), Set.of());
    private static final long SECOND = 1_000_000_000L;

    private final HostTable table = new HostTable();

    @Test
    void learnsSeveralHostsOfAPortAndSeveralAddressesOfAHost() {
        assertEquals(List.of(new Appeared(host(A, P1, IP1))), see(A, IP1, P1, 0));
        assertEquals(List.of(new AddressAdded(host(A, P1, IP1, IP2), IP2)), see(A, IP2, P1, 1));
        assertEquals(List.of(new Appeared(host(B, P1))), table.see(new Sighting(B, Optional.empty(), P1), EDGE, 2));
        assertEquals(List.of(), see(A, IP1, P1, 3));
        assertEquals(List.of(host(A, P1, IP1, IP2), host(B, P1)), table.hosts());
        assertEquals(Optional.of(host(A, P1, IP1, IP2)), table.host(IP2));
    }

    @Test
    void anAddressWhoseOwnerCannotBeAskedGoesToItsNewestUser() {
        see(A, IP1, P1, 0);
        see(B, IP2, P2, 1);
        assertEquals(List.of(new AddressLost(host(A, P1), IP1), new AddressAdded(host(B, P2, IP1, IP2), IP1)),
            table.see(new Sighting(B, Optional.of(IP1), P2), WITHOUT_P1, 2));
        assertEquals(Optional.of(host(B, P2, IP1, IP2)), table.host(IP1));
        assertEquals(Set.of(IP1), table.unasked(3));
        assertEquals(Set.of(), table.unasked(2 + HostTable.ABSENCE_NS));
    }

    @Test
    void aNewHostTakesAnAddressTooWhoseOwnerCannotBeAsked() {
        see(A, IP1, P1, 0);
        assertEquals(List.of(new AddressLost(host(A, P1), IP1), new Appeared(host(B, P2, IP1))),
            table.see(new Sighting(B, Optional.of(IP1), P2), WITHOUT_P1, 2));
    }

    @Test
    void anAddressStaysWithAnOwnerThatCanBeAsked() {
        see(A, IP1, P1, 0);
        assertEquals(List.of(new Appeared(host(B, P2))), see(B, IP1, P2, 2));
        assertEquals(List.of(), see(B, IP1, P2, 3));
        assertEquals(Optional.of(host(A, P1, IP1)), table.host(IP1));
    }

    @Test
    void aHostWithoutAddressesMovesAtOnceButNotTwiceInASecond() {
        hear(A, P1, 0);
        assertEquals(List.of(new Moved(host(A, P2), P1)), hear(A, P2, 1));
        assertEquals(List.of(), hear(A, P1, SECOND));
        assertEquals(1, table.refusals().flapping());
        assertEquals(Optional.of(host(A, P2)), table.host(A));
        assertEquals(List.of(new Moved(host(A, P1), P2)), hear(A, P1, 1 + SECOND));
    }

    @Test
    void aPortThatIsBoundToAddressesRefusesOthers() {
        final var bound = new Edge(Set.of(P1, P2), Set.of(), Map.of(P1, Set.of(IP2)));
        final var sighting = new Sighting(A, Optional.of(IP1), P1);
        assertEquals(List.of(new Disallowed(host(A, P1), IP1), new Appeared(host(A, P1))),
            table.see(sighting, bound, 0));
        assertEquals(List.of(), table.see(sighting, bound, 1), "reported once a second");
        assertEquals(2, table.refusals().disallowed());
        assertEquals(List.of(new AddressAdded(host(A, P1, IP2), IP2)),
            table.see(new Sighting(A, Optional.of(IP2), P1), bound, 2));
        assertEquals(List.of(new Appeared(host(B, P2, IP1))),
            table.see(new Sighting(B, Optional.of(IP1), P2), bound, 3));
    }

    @Test
    void ignoresPortsThatAreNotEdge() {
        assertEquals(List.of(), see(A, IP1, INNER, 0));
        see(A, IP1, P1, 1);
        assertEquals(List.of(), see(A, IP2, INNER, 2));
        assertEquals(List.of(host(A, P1, IP1)), table.hosts());
    }

    @ParameterizedTest
    @ValueSource(strings = {"00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01", "02:53:4c:00:00:01"})
    void learnsNoHostFromAddressesThatNoHostHas(final String mac) {
        assertEquals(List.of(), see(MacAddress.of(mac), IP1, P1, 0));
        assertEquals(List.of(), see(new PathLabel(7).mac(), IP1, P1, 0));
        table.restore(List.of(host(MacAddress.of(mac), P1, IP1)), 0);
        assertEquals(List.of(), table.hosts());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "224.0.0.1", "ff02::1", "127.0.0.1", "::1", "255.255.255.255",
        "10.0.0.100", "fe80::53:4cff:fe00:1"})
    void learnsTheHostButNotAnAddressThatIsNotItsOwn(final String address) {
        assertEquals(List.of(new Appeared(host(A, P1))), see(A, ip(address), P1, 0));
        assertEquals(List.of(), see(A, ip(address), P1, 1));
        assertEquals(Optional.empty(), table.host(ip(address)));
    }

    @Test
    void forgetsHostsOfAPortThatLeadsToASwitch() {
        see(A, IP1, P1, 0);
        see(B, IP2, P2, 0);
        assertEquals(List.of(new Forgotten(host(A, P1, IP1))), table.settle(Set.of(P1, P2), Set.of(P1), 1));
        assertEquals(List.of(host(B, P2, IP2)), table.hosts());
        assertEquals(Optional.empty(), table.host(IP1));
    }

    @Test
    void keepsHostsOfALostPortForFiveMinutes() {
        see(A, IP1, P1, 0);
        assertEquals(List.of(), table.settle(Set.of(), Set.of(), 10));
        assertEquals(List.of(), table.settle(Set.of(), Set.of(), 9 + HostTable.ABSENCE_NS));
        assertEquals(List.of(new Forgotten(host(A, P1, IP1))),
            table.settle(Set.of(), Set.of(), 10 + HostTable.ABSENCE_NS));
    }

    @Test
    void portThatComesBackStartsAfresh() {
        see(A, IP1, P1, 0);
        table.settle(Set.of(), Set.of(), 0);
        table.settle(Set.of(P1), Set.of(), SECOND);
        table.settle(Set.of(), Set.of(), 2 * SECOND);
        assertEquals(List.of(), table.settle(Set.of(), Set.of(), HostTable.ABSENCE_NS));
        assertEquals(1, table.settle(Set.of(), Set.of(), 2 * SECOND + HostTable.ABSENCE_NS).size());
    }

    @Test
    void hostOfALostPortMovesWhenSeenElsewhere() {
        see(A, IP1, P1, 0);
        table.settle(Set.of(P2), Set.of(), 1);
        assertEquals(List.of(new Moved(host(A, P2, IP1), P1)),
            table.see(new Sighting(A, Optional.of(IP1), P2), WITHOUT_P1, 2));
        assertEquals(List.of(), table.settle(Set.of(P2), Set.of(), 2 * HostTable.ABSENCE_NS));
    }

    @Test
    void whatWasSeenCountsMoreThanWhatIsRestored() {
        see(A, IP1, P2, 0);
        table.restore(List.of(host(A, P1, IP2), host(B, P1, IP1, IP2)), 1);
        assertEquals(List.of(host(A, P2, IP1), host(B, P1, IP2)), table.hosts());
        assertEquals(Optional.of(host(B, P1, IP2)), table.host(IP2));
    }

    @Test
    void refusesMoreHostsThanItHasRoomFor() {
        table.restore(LongStream.rangeClosed(1, HostTable.MAX_HOSTS).mapToObj(i -> host(new MacAddress(i << 8), P1))
            .toList(), 0);
        assertEquals(List.of(), see(A, IP1, P1, 1));
        table.restore(List.of(host(B, P1)), 1);
        assertEquals(HostTable.MAX_HOSTS, table.hosts().size());
        assertEquals(2, table.refusals().full());
        assertEquals(Optional.empty(), table.host(IP1));
    }

    @Test
    void newAddressTakesThePlaceOfAnIdleOneOnly() {
        for (int i = 0; i < HostTable.MAX_ADDRESSES; i++) {
            see(A, ip("10.1.0." + i), P1, 0);
        }
        see(A, ip("10.1.0.0"), P1, 1);
        assertEquals(List.of(), see(A, IP1, P1, HostTable.ADDRESS_IDLE_NS - 1));
        assertEquals(1, table.refusals().addressesFull());
        final var changes = see(A, IP1, P1, HostTable.ADDRESS_IDLE_NS);
        assertEquals(ip("10.1.0.1"), ((AddressLost) changes.get(0)).address());
        assertEquals(IP1, ((AddressAdded) changes.get(1)).address());
        assertEquals(HostTable.MAX_ADDRESSES, table.host(A).orElseThrow().addresses().size());
    }

    @Test
    void dhcpAckTellsTheAddressOfAClientThatAskedForIt() {
        assertEquals(List.of(new Appeared(host(A, P1))), request(A, P1, LEASE));
        assertEquals(List.of(new Appeared(host(B, P2, SERVER)), new AddressAdded(host(A, P1, IP1), IP1)),
            acknowledge(P2, LEASE));
        assertEquals(0, table.refusals().unasked());
    }

    @Test
    void dhcpAckGivesNobodyWhatHeDidNotJustAskFor() {
        see(B, SERVER, P2, 0);
        see(A, IP2, P1, 0);
        assertEquals(List.of(), acknowledge(P2, LEASE), "asked for nothing");
        request(A, P1, new Lease(7, ip("10.0.0.3")));
        assertEquals(List.of(), acknowledge(P2, LEASE), "asked for another address");
        request(A, P1, new Lease(8, IP1));
        assertEquals(List.of(), acknowledge(P2, LEASE), "in another transaction");
        table.see(new PacketIn(P2, new byte[0], dhcp(B, A, true, Optional.of(LEASE))), EDGE, 1);
        assertEquals(List.of(), acknowledge(P2, LEASE), "somebody else asked in its name");
        request(A, P1, LEASE);
        assertEquals(List.of(), acknowledge(INNER, LEASE), "from inside the fabric");
        acknowledge(P2, LEASE);
        see(B, IP1, P2, 2);
        assertEquals(List.of(), acknowledge(P2, LEASE), "was given it before");
        assertEquals(5, table.refusals().unasked());
    }

    @Test
    void missesTheHostsOfPortsThatAreNotUp() {
        see(A, IP1, P1, 0);
        see(B, IP2, P2, 0);
        table.settle(Set.of(P2), Set.of(), 1);
        assertEquals(List.of(host(A, P1, IP1)), table.missed());
        table.see(new Sighting(A, Optional.of(IP1), P2), WITHOUT_P1, 2);
        assertEquals(List.of(), table.missed());
    }

    @Test
    void checkForAFreeAddressIsNotAClaim() {
        final var header = new Ethernet(MacAddress.BROADCAST, A, 0);
        final var probe = new Packet.Arp(header, true, A, ip("0.0.0.0"), IP1);
        assertEquals(List.of(new Appeared(host(A, P1))), table.see(new PacketIn(P1, new byte[0], probe), EDGE, 0));
        final var check = new Packet.NeighbourSolicitation(header, ip("::"), IP2);
        assertEquals(List.of(), table.see(new PacketIn(P1, new byte[0], check), EDGE, 0));
    }

    @Test
    void claimInTheNameOfAnotherIsNotLearned() {
        final var header = new Ethernet(B, A, 0);
        for (var packet : List.of(new Packet.Arp(header, false, B, IP1, IP1),
                new Packet.NeighbourAdvertisement(header, IP1, IP2, Optional.of(B), true, true))) {
            table.see(new PacketIn(P1, new byte[0], packet), EDGE, 0);
        }
        assertEquals(List.of(host(A, P1)), table.hosts());
    }

    @Test
    void hostsOfASwitchThatIsForgottenAreForgotten() {
        final var elsewhere = new PortId(new SwitchId("openflow:99"), 1);
        table.restore(List.of(host(A, P1, IP1), host(B, elsewhere, IP2)), 0);
        assertEquals(List.of(new Forgotten(host(B, elsewhere, IP2))), table.forget(elsewhere.switchId(), 1));
        assertEquals(List.of(host(A, P1, IP1)), table.hosts());
    }

    @Test
    void malformedTellsNothing() {
        assertTrue(table.see(PacketIn.of(P1, new byte[13]), EDGE, 0).isEmpty());
    }

    private List<HostChange> request(final MacAddress client, final PortId port, final Lease lease) {
        return table.see(new PacketIn(port, new byte[0], dhcp(client, client, true, Optional.of(lease))), EDGE, 1);
    }

    /** Host B answers host A. */
    private List<HostChange> acknowledge(final PortId port, final Lease lease) {
        return table.see(new PacketIn(port, new byte[0], dhcp(B, A, false, Optional.of(lease))), EDGE, 1);
    }

    private static Packet.Dhcp dhcp(final MacAddress sender, final MacAddress client, final boolean toServer,
            final Optional<Lease> lease) {
        return new Packet.Dhcp(new Ethernet(MacAddress.BROADCAST, sender, 0), new Connection(17,
            toServer ? ip("0.0.0.0") : SERVER, ip("255.255.255.255"), toServer ? 68 : 67, toServer ? 67 : 68),
            toServer, toServer ? 3 : 5, client, lease);
    }

    private List<HostChange> see(final MacAddress mac, final InetAddress address, final PortId port, final long nowNs) {
        return table.see(new Sighting(mac, Optional.of(address), port), EDGE, nowNs);
    }

    private List<HostChange> hear(final MacAddress mac, final PortId port, final long nowNs) {
        return table.see(new Sighting(mac, Optional.empty(), port), EDGE, nowNs);
    }

    private static Host host(final MacAddress mac, final PortId port, final InetAddress... addresses) {
        return new Host(mac, Arrays.stream(addresses).collect(Collectors.toSet()), port);
    }

    private static InetAddress ip(final String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}

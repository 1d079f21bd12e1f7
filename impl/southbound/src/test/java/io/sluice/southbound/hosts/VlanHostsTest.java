// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet;
import io.sluice.testlib.Addresses;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VlanHostsTest {
    private static final SwitchId ID = new SwitchId("openflow:1");
    private static final PortId P1 = new PortId(ID, 1);
    private static final PortId P2 = new PortId(ID, 2);
    private static final PortId P3 = new PortId(ID, 3);
    private static final MacAddress MAC1 = new MacAddress(0x0a_00_00_00_00_01L);
    private static final MacAddress MAC2 = new MacAddress(0x0a_00_00_00_00_02L);
    private static final InetAddress IP = Addresses.ip("10.0.0.1");
    private static final InetAddress OTHER = Addresses.ip("10.0.0.9");
    private static final Edge EDGE = new Edge(Set.of(P1, P2, P3), Set.of(OTHER), Map.of(),
        Map.of(P1, Set.of(10, 20), P2, Set.of(10)));

    private final VlanHosts all = new VlanHosts();

    @Test
    void anAddressIsHeldInEachVlanWithoutAQuestion() {
        hear(FlowMatch.UNTAGGED, P1, MAC1);
        hear(10, P1, MAC1);
        hear(10, P2, MAC2);
        hear(20, P1, MAC2);

        assertEquals(List.of(new Host(MAC1, Set.of(IP), P1), new Host(10, MAC1, Set.of(IP), P1),
            new Host(10, MAC2, Set.of(), P2), new Host(20, MAC2, Set.of(IP), P1)), all.hosts());
        final var asked = all.turn(EDGE, 0).packets();
        assertEquals(List.of(P1), asked.stream().map(PacketOut::port).toList());
        assertEquals(10, PacketIn.of(P1, asked.getFirst().frame()).vlan());
    }

    @Test
    void aQuestionGoesOnlyToPortsThatListItsVlan() {
        assertEquals(List.of(P1, P2), ports(all.of(10).resolver().probe(IP, EDGE.in(10), 0)));
        assertEquals(List.of(P1), ports(all.of(20).resolver().probe(IP, EDGE.in(20), 0)));
        assertEquals(List.of(), ports(all.of(30).resolver().probe(IP, EDGE.in(30), 0)));
        assertEquals(List.of(P1, P2, P3), ports(all.of(FlowMatch.UNTAGGED).resolver().probe(IP, EDGE, 0)));
    }

    @Test
    void anAnswerIsOfTheAskersVlanAndServicesAreUntagged() {
        hear(10, P1, MAC1);
        final var question = Frames.arpRequest(MAC2, Addresses.ip("10.0.0.2"), IP);
        final var answer = answer(10, P2, question);
        assertEquals(MAC1, ((Packet.Arp) PacketIn.of(P2, answer.getFirst().frame()).packet()).senderMac());
        assertEquals(10, PacketIn.of(P2, answer.getFirst().frame()).vlan());
        assertEquals(List.of(P2, P3), ports(answer(FlowMatch.UNTAGGED, P1, question)));
        assertEquals(List.of(P1), ports(answer(10, P2, Frames.arpRequest(MAC2, Addresses.ip("10.0.0.2"), OTHER))));
    }

    @Test
    void aHostIsForgottenWhenItsPortNoLongerListsItsVlan() {
        hear(FlowMatch.UNTAGGED, P1, MAC1);
        hear(20, P1, MAC1);
        final var up = Set.of(P1, P2, P3);
        assertEquals(List.of(), all.settle(up, Set.of(), EDGE, 0));

        final var without = new Edge(up, Set.of(), Map.of(), Map.of(P1, Set.of(10)));
        assertEquals(List.of(new HostChange.Forgotten(new Host(20, MAC1, Set.of(IP), P1))),
            all.settle(up, Set.of(), without, 0));
        assertEquals(List.of(new Host(MAC1, Set.of(IP), P1)), all.hosts());
    }

    @Test
    void hostsAreTakenOverInTheirVlans() {
        final var hosts = List.of(new Host(MAC1, Set.of(IP), P1), new Host(10, MAC1, Set.of(IP), P2));
        all.restore(hosts, 0);
        assertEquals(hosts, all.hosts());
        assertEquals(Optional.of(hosts.get(1)), all.of(10).hosts().host(IP));
        assertEquals(2, all.forget(ID, 0).size());
        assertEquals(List.of(), all.hosts());
    }

    private void hear(final int vlan, final PortId port, final MacAddress mac) {
        all.of(vlan).see(PacketIn.of(port, Frames.tagged(Frames.arpRequest(mac, IP, Addresses.ip("10.0.0.2")), vlan)),
            EDGE.in(vlan), 0);
    }

    private List<PacketOut> answer(final int vlan, final PortId port, final byte[] question) {
        return all.of(vlan).resolver().answer(PacketIn.of(port, Frames.tagged(question, vlan)), EDGE.in(vlan), 0);
    }

    private static List<PortId> ports(final List<PacketOut> packets) {
        return packets.stream().map(PacketOut::port).toList();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.api.Fragment;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.PacketDesk.Fate;
import io.sluice.southbound.hosts.Acquaintance;
import io.sluice.southbound.hosts.FabricAddress;
import io.sluice.southbound.hosts.HostChange;
import io.sluice.southbound.hosts.Resolver;
import io.sluice.southbound.packet.Ethernet;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet;
import io.sluice.testlib.SimulatedTime;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PacketDeskTest {
    private static final SwitchId S1 = new SwitchId("openflow:1");
    private static final SwitchId S2 = new SwitchId("openflow:2");
    private static final PortId EDGE_A = new PortId(S1, 1);
    private static final PortId EDGE_B = new PortId(S2, 1);
    private static final PortId INNER_1 = new PortId(S1, 2);
    private static final PortId INNER_2 = new PortId(S2, 2);
    private static final MacAddress MAC_A = MacAddress.of("0a:00:00:00:00:01");
    private static final MacAddress MAC_B = MacAddress.of("0a:00:00:00:00:02");

    private record Sent(PortId port, boolean resubmitted, byte[] frame) { }

    private final SimulatedTime time = new SimulatedTime();
    private final FabricView view = new FabricView(time);
    private final List<Sent> sent = new ArrayList<>();
    private final List<FirstPacket> first = new ArrayList<>();
    private final PacketDesk desk = new PacketDesk(view, new PacketWire() {
        @Override
        public void send(final PortId port, final byte[] frame) {
            sent.add(new Sent(port, false, frame));
        }

        @Override
        public void resubmit(final PortId ingress, final byte[] frame) {
            sent.add(new Sent(ingress, true, frame));
        }
    }, time, time::after);
    private InetAddress addressA;
    private InetAddress addressB;

    @BeforeEach
    void twoSwitchesInARow() throws UnknownHostException {
        addressA = InetAddress.getByName("10.0.0.1");
        addressB = InetAddress.getByName("10.0.0.2");
        view.subscribe(desk::update);
        desk.subscribe(first::add);
        view.attached(S1);
        view.attached(S2);
        List.of(EDGE_A, EDGE_B, INNER_1, INNER_2).forEach(port ->
            view.portSeen(new PortStatus(port, port.toString(), true, Bandwidth.ofMegabits(10))));
        view.linkFound(INNER_1, INNER_2);
        view.linkFound(INNER_2, INNER_1);
        run();
        time.advance(Duration.ofNanos(EdgePorts.QUIET_NS));
    }

    @Test
    void questionForAnUnknownHostGoesOutOfTheOtherEdgePortAndTheAskerIsLearned() {
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, addressA, addressB));
        run();

        assertEquals(List.of(EDGE_B), sent.stream().map(Sent::port).toList());
        assertEquals(List.of(new Host(MAC_A, Set.of(addressA), EDGE_A)), view.snapshot().hosts());
        assertEquals(Map.of(Fate.RESOLVED, 1L), desk.fates());
    }

    @Test
    void questionForAKnownHostIsAnsweredAtOnce() {
        desk.packet(EDGE_B, Frames.arpRequest(MAC_B, addressB, addressA));
        sent.clear();
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, addressA, addressB));

        assertEquals(List.of(EDGE_A), sent.stream().map(Sent::port).toList());
        assertEquals(MAC_B, assertInstanceOf(Packet.Arp.class, Frames.parse(sent.getFirst().frame())).senderMac());
    }

    @Test
    void hostsThatResolveEachOtherAreAcquaintedBothWays() {
        final var acquainted = new ArrayList<Acquaintance>();
        desk.onAcquaintance(acquainted::add);
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, addressA, addressB));
        assertEquals(List.of(), acquainted);
        desk.packet(EDGE_B, Frames.arpReply(new Ethernet(MAC_A, MAC_B, 0), addressB, addressA));
        final var both = List.of(
            new Acquaintance(new Host(MAC_B, Set.of(addressB), EDGE_B), addressA, MAC_A),
            new Acquaintance(new Host(MAC_A, Set.of(addressA), EDGE_A), addressB, MAC_B));
        assertEquals(both, acquainted);
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, addressA, addressB));
        assertEquals(both.reversed(), acquainted.subList(2, 4));
    }

    @Test
    void neighbourDiscoveryAcquaintsAsArpDoes() throws UnknownHostException {
        final var a6 = InetAddress.getByName("fd00::a");
        final var b6 = InetAddress.getByName("fd00::b");
        final var service = InetAddress.getByName("fd00::5");
        final var acquainted = new ArrayList<Acquaintance>();
        desk.onAcquaintance(acquainted::add);
        desk.packet(EDGE_A, Frames.neighbourSolicitation(MAC_A, a6, b6));
        desk.packet(EDGE_A, Frames.neighbourSolicitation(MAC_A, InetAddress.getByName("::"), b6));
        assertEquals(List.of(), acquainted);
        desk.packet(EDGE_B, Frames.neighbourAdvertisement(new Ethernet(MAC_A, MAC_B, 0), b6, a6));
        final var both = List.of(
            new Acquaintance(new Host(MAC_B, Set.of(b6), EDGE_B), a6, MAC_A),
            new Acquaintance(new Host(MAC_A, Set.of(a6), EDGE_A), b6, MAC_B));
        assertEquals(both, acquainted);
        desk.packet(EDGE_A, Frames.neighbourSolicitation(MAC_A, a6, b6));
        assertEquals(both.reversed(), acquainted.subList(2, 4));
        desk.answerFor(service);
        desk.packet(EDGE_A, Frames.neighbourSolicitation(MAC_A, a6, service));
        assertEquals(new Acquaintance(new Host(MAC_A, Set.of(a6), EDGE_A), service, FabricAddress.MAC),
            acquainted.getLast());
        desk.packet(EDGE_A, Frames.neighbourSolicitation(MAC_A, a6, FabricAddress.LINK_LOCAL));
        assertEquals(5, acquainted.size(), "without the controller, nobody is at the fabric's own address");
    }

    @Test
    void whoAsksForAnOwnedAddressIsAcquaintedAndWhoChecksItsOwnIsNot() throws UnknownHostException {
        final var acquainted = new ArrayList<Acquaintance>();
        desk.onAcquaintance(acquainted::add);
        desk.answerFor(addressB);
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, InetAddress.getByName("0.0.0.0"), addressB));
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, addressA, addressA));
        assertEquals(List.of(), acquainted);
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, addressA, addressB));
        assertEquals(List.of(new Acquaintance(new Host(MAC_A, Set.of(addressA), EDGE_A), addressB,
            FabricAddress.MAC)), acquainted);
    }

    @Test
    void portThatHasJustComeUpIsNotYetAnEdgePort() {
        final var fresh = new PortId(S1, 3);
        view.portSeen(new PortStatus(fresh, "new", true, Bandwidth.ZERO));
        run();
        desk.packet(fresh, Frames.arpRequest(MAC_A, addressA, addressB));
        assertEquals(Map.of(Fate.NOT_EDGE, 1L), desk.fates());

        time.advance(Duration.ofNanos(EdgePorts.QUIET_NS));
        desk.packet(fresh, Frames.arpRequest(MAC_A, addressA, addressB));
        assertEquals(Map.of(Fate.NOT_EDGE, 1L, Fate.RESOLVED, 1L), desk.fates());
    }

    @Test
    void hostThatSaidNothingSinceItWasPluggedInElsewhereIsFound() {
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, addressA, addressB));
        final var fresh = new PortId(S2, 3);
        view.portGone(EDGE_A);
        view.portSeen(new PortStatus(fresh, "new", true, Bandwidth.ZERO));
        run();
        sent.clear();
        desk.seek();
        time.advance(Duration.ofNanos(EdgePorts.QUIET_NS).minusNanos(1));
        assertEquals(Set.of(EDGE_B), sent.stream().map(Sent::port).collect(Collectors.toSet()),
            "it would not be heard yet at the new port");

        sent.clear();
        time.advance(Duration.ofNanos(1));
        desk.seek();
        final var question = assertInstanceOf(Packet.Arp.class, Frames.parse(sent.stream()
            .filter(out -> out.port().equals(fresh)).findFirst().orElseThrow().frame()));
        assertEquals(addressA, question.targetIp());
        desk.packet(fresh, Frames.arpReply(new Ethernet(FabricAddress.MAC, MAC_A, 0), addressA, question.senderIp()));
        run();
        assertEquals(List.of(new Host(MAC_A, Set.of(addressA), fresh)), view.snapshot().hosts());
    }

    @Test
    void hostOfASwitchThatIsAwayIsNotSoughtElsewhere() {
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, addressA, addressB));
        view.detached(S1);
        view.portSeen(new PortStatus(new PortId(S2, 3), "new", true, Bandwidth.ZERO));
        run();
        sent.clear();
        time.advance(Duration.ofNanos(EdgePorts.QUIET_NS));
        desk.seek();
        assertEquals(List.of(), sent);
    }

    @Test
    void packetFromInsideTheFabricTeachesNothing() {
        desk.packet(INNER_1, Frames.arpRequest(MAC_A, addressA, addressB));
        run();

        assertEquals(List.of(), view.snapshot().hosts());
        assertEquals(List.of(), sent);
    }

    @Test
    void aHostOfAListedVlanIsKnownAndAskedForInItsVlanAlone() {
        listVlan(7, EDGE_A);
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, addressA, addressB));
        sent.clear();
        desk.packet(EDGE_A, tagged(Frames.arpRequest(MAC_A, addressA, addressB)));
        run();
        assertEquals(List.of(new Host(MAC_A, Set.of(addressA), EDGE_A), new Host(7, MAC_A, Set.of(addressA), EDGE_A)),
            view.snapshot().hosts());
        assertEquals(List.of(), sent, "no other port lists the VLAN");

        desk.packet(EDGE_B, Frames.arpRequest(MAC_B, addressB, addressA));
        time.advance(Duration.ofNanos(Resolver.REPEAT_NS));
        sent.clear();
        desk.packet(EDGE_A, tagged(icmp(addressA, addressB)));
        assertEquals(List.of(), first, "B is untagged");
        assertEquals(List.of(EDGE_A), sent.stream().map(Sent::port).toList());
        assertEquals(1L, desk.fates().get(Fate.UNKNOWN_DESTINATION));
    }

    @Test
    void theFirstPacketOfAConnectionNamesItsVlan() {
        listVlan(7, EDGE_A, EDGE_B);
        desk.packet(EDGE_B, tagged(Frames.arpRequest(MAC_B, addressB, addressA)));
        desk.packet(EDGE_A, tagged(icmp(addressA, addressB)));

        assertEquals(new Connection(7, 1, addressA, addressB, 0, 0), first.getFirst().connection());
    }

    @Test
    void aVirtualAddressIsForUntaggedHosts() {
        listVlan(7, EDGE_A, EDGE_B);
        desk.answerFor(addressB);
        desk.packet(EDGE_A, tagged(icmp(addressA, addressB)));

        assertEquals(List.of(), first);
        assertEquals(1L, desk.fates().get(Fate.UNKNOWN_DESTINATION));
    }

    @Test
    void theFabricsEntriesFollowTheListedVlans() {
        listVlan(7, EDGE_A);
        assertEquals(Map.of(EDGE_A, Set.of(7)), desk.situation(view.snapshot()).vlans());
    }

    @Test
    void taggedPacketTeachesNothingAndIsCounted() {
        desk.packet(EDGE_B, Frames.arpRequest(MAC_B, addressB, addressA));
        sent.clear();
        desk.packet(EDGE_A, tagged(Frames.arpRequest(MAC_A, addressB, addressA)));
        desk.packet(EDGE_A, tagged(icmp(addressA, addressB)));
        run();

        assertEquals(List.of(new Host(MAC_B, Set.of(addressB), EDGE_B)), view.snapshot().hosts());
        assertEquals(List.of(), sent);
        assertEquals(List.of(), first);
        assertEquals(Map.of(Fate.RESOLVED, 1L, Fate.TAGGED, 2L), desk.fates());
    }

    @Test
    void innerPortWhoseLinkIsDownIsNoEdgePort() {
        view.portSeen(new PortStatus(INNER_2, "down", false, Bandwidth.ZERO));
        run();
        time.advance(Duration.ofNanos(EdgePorts.QUIET_NS));
        desk.packet(INNER_1, Frames.arpRequest(MAC_A, addressA, addressB));

        assertEquals(Map.of(Fate.NOT_EDGE, 1L), desk.fates());
    }

    @Test
    void packetToAKnownHostIsAFirstPacketAndGoesBackWhereItCameFrom() {
        desk.packet(EDGE_B, Frames.arpRequest(MAC_B, addressB, addressA));
        sent.clear();
        final var frame = icmp(addressA, addressB);
        desk.packet(EDGE_A, frame);
        assertEquals(List.of(addressB), first.stream().map(packet -> packet.connection().destination()).toList());

        desk.release(first.getFirst());
        assertEquals(List.of(new Sent(EDGE_A, true, frame)), sent);
    }

    @Test
    void aRefusedPacketIsAnsweredAtThePortWhereItCameFrom() throws UnknownHostException {
        desk.refuse(new FirstPacket(EDGE_A, new Connection(6, addressA, addressB, 1, 2),
            Frames.ip(MAC_A, MAC_B, new Connection(6, addressA, addressB, 1, 2))));
        assertEquals(List.of(EDGE_A), sent.stream().map(Sent::port).toList());
        assertEquals(new Packet.Ip(new Ethernet(MAC_A, MAC_B, 0), new Connection(6, addressB, addressA, 2, 1)),
            Frames.parse(sent.getFirst().frame()));
        assertEquals(Map.of(RefusalAnswers.Outcome.RESET, 1L), desk.refusals());
    }

    @Test
    void aFragmentIsToldFromAWholePacketAndRelayedWithOtherAddresses() throws UnknownHostException {
        desk.packet(EDGE_B, Frames.arpRequest(MAC_B, addressB, addressA));
        sent.clear();
        run();
        final var virtual = InetAddress.getByName("10.9.9.9");
        final var owner = desk.answerFor(virtual);
        final var frame = ByteBuffer.wrap(icmp(addressA, virtual)).put(23, (byte) 17).putShort(18, (short) 7)
            .putShort(20, (short) 185).array();
        desk.packet(EDGE_A, frame);
        final var fragment = first.getFirst();
        assertEquals(Optional.of(new Fragment(7, false)), fragment.fragment());
        assertEquals(new Connection(17, addressA, virtual, 0, 0), fragment.connection());

        assertTrue(desk.relay(fragment, addressA, addressB));
        assertEquals(List.of(EDGE_B), sent.stream().map(Sent::port).toList());
        assertEquals(new Packet.Ip(new Ethernet(MAC_B, MAC_A, 0), new Connection(17, addressA, addressB, 0, 0),
            fragment.fragment()), Frames.parse(sent.getFirst().frame()));
        assertFalse(desk.relay(fragment, addressA, virtual), "no host has it");
        assertEquals(1, sent.size());
        owner.close();
    }

    @Test
    void packetToNobodyIsDroppedAndItsDestinationAskedFor() {
        desk.packet(EDGE_A, icmp(addressA, addressB));

        assertEquals(List.of(), first);
        assertEquals(Map.of(Fate.UNKNOWN_DESTINATION, 1L), desk.fates());
        assertEquals(Set.of(EDGE_A, EDGE_B),
            sent.stream().map(Sent::port).collect(Collectors.toSet()));
    }

    @Test
    void ownedAddressIsAnsweredForUntilTheLastOneCloses() {
        final var one = desk.answerFor(addressB);
        final var two = desk.answerFor(addressB);
        one.close();
        one.close();
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, addressA, addressB));
        assertEquals(FabricAddress.MAC,
            assertInstanceOf(Packet.Arp.class, Frames.parse(sent.getFirst().frame())).senderMac());
        desk.packet(EDGE_A, icmp(addressA, addressB));
        assertEquals(1, first.size());

        two.close();
        desk.packet(EDGE_A, icmp(addressA, addressB));
        assertEquals(1, first.size());
    }

    @Test
    void hostsOfAnEarlierRunAreKnownAtOnce() {
        desk.restore(List.of(new Host(MAC_B, Set.of(addressB), EDGE_B)));
        desk.packet(EDGE_A, icmp(addressA, addressB));

        assertEquals(1, first.size());
    }

    @Test
    void hostIsForgottenWhenItsPortTurnsOutToLeadToASwitch() {
        final var changes = new ArrayList<HostChange>();
        desk.onHostChange(changes::add);
        desk.packet(EDGE_A, Frames.arpRequest(MAC_A, addressA, addressB));
        view.linkFound(EDGE_A, EDGE_B);
        run();

        assertInstanceOf(HostChange.Forgotten.class, changes.getLast());
        assertEquals(List.of(), view.snapshot().hosts());
    }

    private static byte[] tagged(final byte[] frame) {
        return Frames.tagged(frame, 7);
    }

    private void listVlan(final int vlan, final PortId... ports) {
        view.settings(Stream.of(ports).collect(Collectors.toMap(Function.identity(), port ->
            new PortSettings(Optional.empty(), Set.of(), Set.of(), Set.of(vlan)))));
        run();
    }

    private static byte[] icmp(final InetAddress source, final InetAddress destination) {
        final var frame = ByteBuffer.allocate(60);
        frame.putShort(0, (short) (MAC_B.value() >> 32)).putInt(2, (int) MAC_B.value());
        frame.putShort(6, (short) (MAC_A.value() >> 32)).putInt(8, (int) MAC_A.value());
        frame.putShort(12, (short) 0x0800).put(14, (byte) 0x45).putShort(16, (short) 46).put(22, (byte) 64)
            .put(23, (byte) 1);
        frame.position(26);
        frame.put(source.getAddress()).put(destination.getAddress());
        return frame.array();
    }

    private void run() {
        time.run();
    }
}

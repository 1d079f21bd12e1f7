// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Connection;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.packet.Ethernet;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResolverTest {
    private static final SwitchId SWITCH = new SwitchId("openflow:1");
    private static final PortId P1 = new PortId(SWITCH, 1);
    private static final PortId P2 = new PortId(SWITCH, 2);
    private static final PortId P3 = new PortId(SWITCH, 3);
    private static final PortId INNER = new PortId(SWITCH, 9);
    private static final MacAddress A = MacAddress.of("00:00:00:00:00:0a");
    private static final MacAddress B = MacAddress.of("00:00:00:00:00:0b");
    private static final MacAddress STRANGER = MacAddress.of("00:00:00:00:00:99");
    private static final MacAddress ALL_NODES_MAC = MacAddress.of("33:33:00:00:00:01");
    private static final InetAddress NONE4 = ip("0.0.0.0");
    private static final InetAddress NONE6 = ip("::");
    private static final InetAddress A4 = ip("10.0.0.1");
    private static final InetAddress B4 = ip("10.0.0.2");
    private static final InetAddress A6 = ip("fe80::a");
    private static final InetAddress B6 = ip("fe80::b");
    private static final InetAddress NOBODY4 = ip("10.0.0.77");
    private static final InetAddress NOBODY6 = ip("fe80::77");
    private static final InetAddress SERVICE4 = ip("10.0.0.100");
    private static final InetAddress SERVICE6 = ip("2001:db8::100");
    private static final Edge EDGE = new Edge(Set.of(P1, P2, P3), Set.of(SERVICE4, SERVICE6));

    private final HostTable hosts = new HostTable();
    private final Resolver resolver = new Resolver(hosts);
    private long nowNs;

    @BeforeEach
    void hostAOnPort1AndHostBOnPort2() {
        for (var address : List.of(A4, A6)) {
            hosts.see(new Sighting(A, Optional.of(address), P1), EDGE, 0);
        }
        for (var address : List.of(B4, B6)) {
            hosts.see(new Sighting(B, Optional.of(address), P2), EDGE, 0);
        }
    }

    @Test
    void answersArpForAKnownHostInTheAskersVlan() {
        final var asked = new Ethernet(MacAddress.BROADCAST, A, 7);
        final var answer = only(P1, ask(P1, new Packet.Arp(asked, true, A, A4, B4)));
        assertEquals(new Packet.Arp(new Ethernet(A, B, 7), false, B, B4, A4), answer);
    }

    @Test
    void answersSolicitationForAKnownHost() {
        final var answer = only(P1, in(P1, Frames.neighbourSolicitation(A, A6, B6)));
        assertEquals(new Packet.NeighbourAdvertisement(new Ethernet(A, B, 0), A6, B6, Optional.of(B), true, true),
            answer);
    }

    @Test
    void answersForOwnedAddressesAndItsOwn() {
        assertEquals(new Packet.Arp(new Ethernet(A, FabricAddress.MAC, 0), false, FabricAddress.MAC, SERVICE4, A4),
            only(P1, in(P1, Frames.arpRequest(A, A4, SERVICE4))));
        for (var owned : List.of(SERVICE6, FabricAddress.LINK_LOCAL)) {
            assertEquals(new Packet.NeighbourAdvertisement(new Ethernet(A, FabricAddress.MAC, 0), A6, owned,
                Optional.of(FabricAddress.MAC), true, true),
                only(P1, in(P1, Frames.neighbourSolicitation(A, A6, owned))));
        }
    }

    @Test
    void defendsOwnedAddressesAgainstThoseWhoWantThem() {
        assertEquals(new Packet.Arp(new Ethernet(A, FabricAddress.MAC, 0), false, FabricAddress.MAC, SERVICE4, NONE4),
            only(P1, in(P1, Frames.arpRequest(A, NONE4, SERVICE4))));
        assertEquals(new Packet.NeighbourAdvertisement(new Ethernet(ALL_NODES_MAC, FabricAddress.MAC, 0),
            FabricAddress.ALL_NODES, SERVICE6, Optional.of(FabricAddress.MAC), false, true),
            only(P1, in(P1, Frames.neighbourSolicitation(A, NONE6, SERVICE6))));
    }

    @Test
    void unknownTargetIsSoughtAtTheOtherEdgePortsOnceASecond() {
        for (var frame : List.of(Frames.arpRequest(A, A4, NOBODY4), Frames.neighbourSolicitation(A, A6, NOBODY6))) {
            final var out = in(P1, frame);
            assertEquals(List.of(P2, P3), ports(out));
            out.forEach(packet -> assertSame(frame, packet.frame()));
        }
        nowNs = Resolver.REPEAT_NS - 1;
        assertEquals(List.of(), in(P2, Frames.arpRequest(B, B4, NOBODY4)));
        assertEquals(1, resolver.withheld());
        nowNs = Resolver.REPEAT_NS;
        assertEquals(List.of(P1, P3), ports(in(P2, Frames.arpRequest(B, B4, NOBODY4))));
    }

    @Test
    void boundsTheTargetsSoughtInASecond() {
        for (int i = 0; i < Resolver.MAX_FLOODS; i++) {
            assertEquals(2, in(P1, Frames.arpRequest(A, A4, ip("10.9." + i / 256 + "." + i % 256))).size());
        }
        assertEquals(List.of(), in(P1, Frames.arpRequest(A, A4, NOBODY4)));
        nowNs = Resolver.REPEAT_NS;
        assertEquals(2, in(P1, Frames.arpRequest(A, A4, NOBODY4)).size());
    }

    @Test
    void nobodyHearsOfHisOwnAddress() {
        assertEquals(List.of(), in(P1, Frames.arpRequest(A, A4, A4)));
        assertEquals(List.of(), in(P1, Frames.arpRequest(A, NONE4, A4)));
        assertEquals(List.of(), in(P1, Frames.neighbourSolicitation(A, NONE6, A6)));
        assertEquals(List.of(), in(P1, Frames.arpRequest(A, NONE4, NOBODY4)));
        assertEquals(List.of(), in(P1, Frames.arpRequest(A, NOBODY4, NOBODY4)));
        assertEquals(List.of(), in(P1, Frames.neighbourSolicitation(A, NONE6, NOBODY6)));
    }

    @Test
    void checkForAnAddressInUseGoesToItsUser() {
        assertEquals(List.of(P2), ports(in(P1, Frames.arpRequest(A, NONE4, B4))));
        assertEquals(List.of(P2), ports(in(P1, Frames.neighbourSolicitation(A, NONE6, B6))));
    }

    @Test
    void hostsAtOnePortAreLeftToThemselves() {
        final var neighbour = MacAddress.of("00:00:00:00:00:0c");
        for (var address : List.of(ip("10.0.0.3"), ip("fe80::c"))) {
            hosts.see(new Sighting(neighbour, Optional.of(address), P1), EDGE, 0);
        }
        for (var frame : List.of(Frames.arpRequest(A, A4, ip("10.0.0.3")),
                Frames.neighbourSolicitation(A, A6, ip("fe80::c")))) {
            assertEquals(List.of(), in(P1, frame));
            assertEquals(List.of(), resolver.acquaintances(Frames.parse(frame), EDGE));
        }
        assertEquals(neighbour, ((Packet.Arp) only(P2, in(P2, Frames.arpRequest(B, B4, ip("10.0.0.3"))))).senderMac());
    }

    @Test
    void addressesThatAreSearchedForAreAskedForAtNewPorts() {
        final var missed = List.of(A4, A6);
        final var out = resolver.seek(missed, Set.of(P3), nowNs);
        assertEquals(List.of(P3, P3), ports(out));
        assertEquals(Set.of(A4, A6), out.stream().map(packet -> switch (Frames.parse(packet.frame())) {
            case Packet.Arp arp -> arp.targetIp();
            case Packet.NeighbourSolicitation it -> it.target();
            default -> NONE4;
        }).collect(Collectors.toSet()));
        assertEquals(List.of(P2, P2), ports(resolver.seek(missed, Set.of(P2), nowNs)));
        assertEquals(List.of(), resolver.seek(missed, Set.of(), nowNs));
        assertEquals(List.of(), resolver.seek(missed, Set.of(P2), nowNs));
        assertEquals(2, resolver.withheld());
    }

    @Test
    void defenceOfAnAddressReachesTheOtherPortsOnceASecond() {
        final var defence = Frames.neighbourAdvertisement(new Ethernet(ALL_NODES_MAC, B, 0), B6, ip("ff02::1"));
        assertEquals(List.of(P1, P3), ports(in(P2, defence)));
        assertEquals(List.of(), in(P2, defence));
    }

    @Test
    void repliesGoToTheHostTheyAreMeantFor() {
        assertEquals(List.of(P2), ports(in(P1, Frames.arpReply(new Ethernet(B, A, 0), A4, B4))));
        assertEquals(List.of(P2), ports(in(P1, Frames.neighbourAdvertisement(new Ethernet(B, A, 0), A6, B6))));
        assertEquals(List.of(), in(P1, Frames.arpReply(new Ethernet(STRANGER, A, 0), A4, NOBODY4)));
        assertEquals(List.of(), in(P1, Frames.arpReply(new Ethernet(FabricAddress.MAC, A, 0), A4, NONE4)));
        assertEquals(List.of(), in(P2, Frames.arpReply(new Ethernet(B, A, 0), A4, B4)));
    }

    @Test
    void dhcpClientsReachAllOtherPortsAndServersTheirClient() {
        final var discover = dhcp(MacAddress.BROADCAST, STRANGER, true, 1, STRANGER);
        assertEquals(List.of(P1, P2), ports(ask(P3, discover)));
        assertEquals(List.of(), ask(P3, discover));
        assertEquals(List.of(P1, P2), ports(ask(P3, dhcp(MacAddress.BROADCAST, STRANGER, true, 3, STRANGER))));
        assertEquals(List.of(P1), ports(ask(P2, dhcp(MacAddress.BROADCAST, B, false, 2, A))));
        assertEquals(List.of(P1, P3), ports(ask(P2, dhcp(MacAddress.BROADCAST, B, false, 2, STRANGER))));
        assertEquals(List.of(P2), ports(ask(P1, dhcp(B, A, true, 3, A))));
    }

    @Test
    void routerDiscoveryReachesAllOtherPortsOrItsAddressee() {
        final var all = new Ethernet(MacAddress.of("33:33:00:00:00:02"), A, 0);
        assertEquals(List.of(P2, P3), ports(ask(P1, new Packet.RouterSolicitation(all, A6))));
        assertEquals(List.of(), ask(P1, new Packet.RouterSolicitation(all, A6)));
        assertEquals(List.of(P2, P3), ports(ask(P1, new Packet.RouterAdvertisement(all, A6))));
        assertEquals(List.of(P2), ports(ask(P1, new Packet.RouterAdvertisement(new Ethernet(B, A, 0), A6))));
    }

    @Test
    void probesForUnknownHostsAtAllEdgePorts() {
        final var arp = resolver.probe(NOBODY4, EDGE, nowNs);
        assertEquals(List.of(P1, P2, P3), ports(arp));
        assertEquals(new Packet.Arp(new Ethernet(MacAddress.BROADCAST, FabricAddress.MAC, 0), true, FabricAddress.MAC,
            NONE4, NOBODY4), Frames.parse(arp.get(0).frame()));
        final var nd = resolver.probe(NOBODY6, EDGE, nowNs);
        assertEquals(new Packet.NeighbourSolicitation(new Ethernet(MacAddress.of("33:33:ff:00:00:77"),
            FabricAddress.MAC, 0), FabricAddress.LINK_LOCAL, NOBODY6), Frames.parse(nd.get(0).frame()));
        assertEquals(List.of(), resolver.probe(NOBODY4, EDGE, nowNs));
        assertEquals(List.of(), in(P1, Frames.arpRequest(A, A4, NOBODY4)));
    }

    @Test
    void probesForNobodyWhoIsKnownOrCannotBe() {
        for (var target : List.of(B4, SERVICE4, SERVICE6, FabricAddress.LINK_LOCAL, ip("224.0.0.1"), NONE6)) {
            assertEquals(List.of(), resolver.probe(target, EDGE, nowNs));
        }
    }

    @Test
    void saysNothingToOtherPacketsAndOtherPorts() {
        final var header = new Ethernet(B, A, 0);
        assertEquals(List.of(), ask(P1, new Packet.Ip(header, new Connection(6, A4, B4, 1, 2))));
        assertEquals(List.of(), ask(P1, new Packet.Other(header, 0x88cc)));
        assertEquals(List.of(), ask(P1, new Packet.Malformed("cut short")));
        assertEquals(List.of(), in(INNER, Frames.arpRequest(A, A4, B4)));
    }

    @Test
    void hostWhosePortIsDownIsAnsweredForButNotSentTo() {
        final var without = new Edge(Set.of(P1, P3), Set.of());
        final var request = PacketIn.of(P1, Frames.arpRequest(A, A4, B4));
        assertEquals(List.of(P1), ports(resolver.answer(request, without, nowNs)));
        final var reply = PacketIn.of(P1, Frames.arpReply(new Ethernet(B, A, 0), A4, B4));
        assertEquals(List.of(), resolver.answer(reply, without, nowNs));
    }

    @Test
    void nothingEverLeavesByOtherThanEdgePorts() {
        final long seed = 7;
        final var random = new Random(seed);
        final var macs = List.of(A, B, STRANGER, MacAddress.BROADCAST, ALL_NODES_MAC);
        final var addresses = List.of(A4, B4, NOBODY4, NONE4, SERVICE4);
        final var ports = List.of(P1, P2, P3, INNER);
        int sent = 0;
        for (int round = 0; round < 20_000; round++) {
            nowNs += random.nextInt(300_000_000);
            final var edge = new Edge(ports.stream().limit(3).filter(port -> random.nextInt(4) > 0)
                .collect(Collectors.toSet()), Set.of(SERVICE4));
            final var in = new PacketIn(pick(ports, random), new byte[0], packet(random, macs, addresses));
            hosts.see(in, edge, nowNs);
            for (var out : resolver.answer(in, edge, nowNs)) {
                sent++;
                assertTrue(edge.ports().contains(out.port()), "seed " + seed + ", round " + round + ": " + in);
            }
        }
        assertTrue(sent > 5_000, "only " + sent + " packets were sent");
    }

    private static Packet packet(final Random random, final List<MacAddress> macs, final List<InetAddress> addresses) {
        final var source = pick(macs, random);
        final var header = new Ethernet(pick(macs, random), source, 0);
        return switch (random.nextInt(3)) {
            case 0 -> new Packet.Arp(header, random.nextBoolean(), source, pick(addresses, random),
                pick(addresses, random));
            case 1 -> dhcp(header.destination(), source, random.nextBoolean(), random.nextInt(8), pick(macs, random));
            default -> new Packet.RouterSolicitation(header, A6);
        };
    }

    private static <T> T pick(final List<T> list, final Random random) {
        return list.get(random.nextInt(list.size()));
    }

    private static Packet.Dhcp dhcp(final MacAddress destination, final MacAddress source, final boolean toServer,
            final int type, final MacAddress client) {
        return new Packet.Dhcp(new Ethernet(destination, source, 0), new Connection(17, NONE4, ip("255.255.255.255"),
            toServer ? 68 : 67, toServer ? 67 : 68), toServer, type, client, Optional.empty());
    }

    private List<PacketOut> ask(final PortId port, final Packet packet) {
        return resolver.answer(new PacketIn(port, new byte[0], packet), EDGE, nowNs);
    }

    private List<PacketOut> in(final PortId port, final byte[] frame) {
        return resolver.answer(PacketIn.of(port, frame), EDGE, nowNs);
    }

    private static Packet only(final PortId port, final List<PacketOut> out) {
        assertEquals(List.of(port), ports(out));
        return Frames.parse(out.get(0).frame());
    }

    private static List<PortId> ports(final List<PacketOut> out) {
        return out.stream().map(PacketOut::port).toList();
    }

    private static InetAddress ip(final String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}

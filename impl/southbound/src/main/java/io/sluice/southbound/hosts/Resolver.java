// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.southbound.packet.Ethernet;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides what the controller says to ARP, neighbour discovery and DHCP. Nothing of it crosses the fabric by itself.
 *
 * <table>
 * <caption>What becomes of a packet that came in by an edge port</caption>
 * <tr><td>who-has, address owned by the fabric</td><td>answered with {@link FabricAddress#MAC}</td></tr>
 * <tr><td>who-has, known host</td><td>answered with that host's address, in the asker's VLAN</td></tr>
 * <tr><td>who-has, host at the same port</td><td>nowhere: it has heard the question, and an answer in its name would
 *     mislead the bridge between them</td></tr>
 * <tr><td>who-has, nobody known</td><td>to all other edge ports</td></tr>
 * <tr><td>is this address free? (RFC 5227, RFC 4862)</td><td>to the host that uses it, which defends it; else
 *     nowhere</td></tr>
 * <tr><td>gratuitous ARP</td><td>nowhere: the host table has learned from it</td></tr>
 * <tr><td>ARP reply, unicast advertisement</td><td>to the host that it is addressed to, if known</td></tr>
 * <tr><td>advertisement to all nodes</td><td>to all other edge ports: it may defend an address</td></tr>
 * <tr><td>router discovery, DHCP</td><td>to the host that it is addressed to or, for an answer to a client, about;
 *     else to all other edge ports</td></tr>
 * <tr><td>anything else</td><td>not of this class's concern</td></tr>
 * </table>
 *
 * <p>What goes to all edge ports does so at most once in {@link #REPEAT_NS} for the same target or the same kind of
 * message of the same sender, and {@link #MAX_FLOODS} times in that interval in total; {@link #withheld} counts the
 * rest. Edge ports are those that list the VLAN. Not thread-safe: one call at a time.
 */
public final class Resolver {
    /** The least time between two rounds through all edge ports in the same matter. */
    public static final long REPEAT_NS = 1_000_000_000L;
    /** Rounds through all edge ports in {@link #REPEAT_NS}, at most. */
    public static final int MAX_FLOODS = 4096;

    private final HostTable hosts;
    private final int vlan;
    private final Pace pace = new Pace(REPEAT_NS, MAX_FLOODS);
    private long withheld;

    private enum Kind { ROUTER_SOLICITATION, ROUTER_ADVERTISEMENT, DHCPV4, DHCPV6 }

    /** What may go round once in an interval: a kind of message by one sender, about one client. */
    private record Matter(Kind kind, int messageType, MacAddress sender, MacAddress client) { }

    /** Likewise: an advertisement to all nodes. */
    private record Defence(InetAddress target) { }

    /** Likewise: a question to one port for an address that is searched for. */
    private record Search(InetAddress target, PortId port) { }

    /** Answers untagged hosts. */
    public Resolver(final HostTable hosts) {
        this(hosts, Ethernet.UNTAGGED);
    }

    /** Answers the {@code hosts} of a VLAN. */
    Resolver(final HostTable hosts, final int vlan) {
        this.hosts = hosts;
        this.vlan = vlan;
    }

    /** Returns what to send because of {@code in}, which {@link HostTable#see} has been shown before. */
    public List<PacketOut> answer(final PacketIn in, final Edge edge, final long nowNs) {
        if (!edge.ports().contains(in.port())) {
            return List.of();
        }
        return switch (in.packet()) {
            case Packet.Arp arp when arp.request() -> whoHas(in, Question.of(arp), edge, nowNs);
            case Packet.Arp arp -> toHost(in, arp.ethernet().destination(), edge);
            case Packet.NeighbourSolicitation it -> whoHas(in, Question.of(it), edge, nowNs);
            case Packet.NeighbourAdvertisement it when it.ethernet().destination().isGroup() ->
                toOthers(in, new Defence(it.target()), edge, nowNs);
            case Packet.NeighbourAdvertisement it -> toHost(in, it.ethernet().destination(), edge);
            case Packet.RouterSolicitation it -> router(in, Kind.ROUTER_SOLICITATION, it.ethernet(), edge, nowNs);
            case Packet.RouterAdvertisement it -> router(in, Kind.ROUTER_ADVERTISEMENT, it.ethernet(), edge, nowNs);
            case Packet.Dhcp dhcp -> dhcp(in, dhcp, edge, nowNs);
            case Packet.Ip it -> List.of();
            case Packet.Other it -> List.of();
            case Packet.Malformed it -> List.of();
        };
    }

    /**
     * Asks all edge ports for {@code target}, which a packet is waiting for. ARP asks with the sender 0.0.0.0, which
     * any host answers whatever its subnet and which leaves no trace in its cache (RFC 5227, section 2.1.1); neighbour
     * discovery asks as {@link FabricAddress#LINK_LOCAL}.
     *
     * @return empty if {@code target} is known, owned, not an address of a host or asked for just now
     */
    public List<PacketOut> probe(final InetAddress target, final Edge edge, final long nowNs) {
        if (edge.owns(target) || !Sighting.isHostAddress(target) || hosts.host(target).isPresent()) {
            return List.of();
        }
        return toAll(question(target), target, edge, nowNs);
    }

    /** Asks all edge ports for {@code target}, whose owner does not answer. */
    List<PacketOut> search(final InetAddress target, final Edge edge, final long nowNs) {
        return toAll(question(target), target, edge, nowNs);
    }

    /**
     * Asks {@code ports}, which have just become edge ports, for {@code wanted}, addresses that are searched for:
     * {@link #MAX_FLOODS} questions in {@link #REPEAT_NS} at most.
     */
    List<PacketOut> seek(final Collection<InetAddress> wanted, final Set<PortId> ports, final long nowNs) {
        final var questions = new ArrayList<PacketOut>();
        for (var port : ports.stream().sorted().toList()) {
            for (var target : wanted) {
                if (pace.permits(new Search(target, port), nowNs)) {
                    questions.add(new PacketOut(port, question(target)));
                } else {
                    withheld++;
                }
            }
        }
        return questions;
    }

    /**
     * Who knows whom now that {@code packet}, which {@link HostTable#see} has been shown before, was answered: both
     * hosts each other, since who is asked remembers who asked. Hosts at one port need no help.
     */
    public List<Acquaintance> acquaintances(final Packet packet, final Edge edge) {
        return switch (packet) {
            case Packet.Arp arp -> acquaintances(arp.senderMac(), arp.senderIp(), arp.targetIp(), edge);
            case Packet.NeighbourSolicitation it ->
                acquaintances(it.ethernet().source(), it.source(), it.target(), edge);
            case Packet.NeighbourAdvertisement it -> acquaintances(it.targetMac().orElse(it.ethernet().source()),
                it.target(), it.destination(), edge);
            default -> List.of();
        };
    }

    /** Packets that would have gone to all edge ports but for the limits. */
    public long withheld() {
        return withheld;
    }

    /**
     * "Who has {@code target}?"
     *
     * @param check true if the asker wants the address for itself and hopes for no answer
     * @param reply makes the answer that the target is at a given address
     */
    private record Question(Ethernet ethernet, InetAddress target, boolean check, Function<MacAddress, byte[]> reply) {
        /** The header of an answer by {@code mac} to {@code destination}. */
        static Ethernet header(final Ethernet asked, final MacAddress destination, final MacAddress mac) {
            return new Ethernet(destination, mac, asked.vlan());
        }

        static Question of(final Packet.Arp arp) {
            final var asked = arp.ethernet();
            final boolean check = arp.senderIp().isAnyLocalAddress() || arp.senderIp().equals(arp.targetIp());
            return new Question(asked, arp.targetIp(), check,
                mac -> Frames.arpReply(header(asked, asked.source(), mac), arp.targetIp(), arp.senderIp()));
        }

        static Question of(final Packet.NeighbourSolicitation solicitation) {
            final var asked = solicitation.ethernet();
            final boolean check = solicitation.source().isAnyLocalAddress();
            final var asker = check ? FabricAddress.ALL_NODES : solicitation.source();
            final var askerMac = check ? Frames.groupMac(asker) : asked.source();
            return new Question(asked, solicitation.target(), check,
                mac -> Frames.neighbourAdvertisement(header(asked, askerMac, mac), solicitation.target(), asker));
        }
    }

    private List<Acquaintance> acquaintances(final MacAddress mac, final InetAddress address, final InetAddress other,
            final Edge edge) {
        final var sender = hosts.host(address).filter(host -> host.mac().equals(mac));
        if (sender.isEmpty()) {
            return List.of();
        }
        final var host = sender.orElseThrow();
        if (edge.owned().contains(other)) {
            return List.of(new Acquaintance(host, other, FabricAddress.MAC));
        }
        return hosts.host(other).filter(target -> !target.attachment().equals(host.attachment())).map(target -> List.of(
            new Acquaintance(host, other, target.mac()),
            new Acquaintance(target, address, host.mac()))).orElse(List.of());
    }

    private List<PacketOut> whoHas(final PacketIn in, final Question question, final Edge edge, final long nowNs) {
        final var target = question.target();
        if (edge.owns(target)) {
            return List.of(new PacketOut(in.port(), question.reply().apply(FabricAddress.MAC)));
        }
        final var user = hosts.host(target);
        if (user.isEmpty()) {
            return question.check() || !Sighting.isHostAddress(target) ? List.of()
                : toOthers(in, target, edge, nowNs);
        }
        final var mac = user.orElseThrow().mac();
        if (mac.equals(question.ethernet().source()) || user.orElseThrow().attachment().equals(in.port())) {
            return List.of();
        }
        return question.check() ? toHost(in, mac, edge)
            : List.of(new PacketOut(in.port(), question.reply().apply(mac)));
    }

    /** The frame that asks for {@code target} in the name of the fabric, in the VLAN of the hosts. */
    byte[] question(final InetAddress target) {
        return Frames.tagged(target instanceof Inet4Address
            ? Frames.arpRequest(FabricAddress.MAC, FabricAddress.NO_IPV4, target)
            : Frames.neighbourSolicitation(FabricAddress.MAC, FabricAddress.LINK_LOCAL, target), vlan);
    }

    private List<PacketOut> dhcp(final PacketIn in, final Packet.Dhcp dhcp, final Edge edge, final long nowNs) {
        if (!dhcp.toServer() && hosts.host(dhcp.client()).isPresent()) {
            return toHost(in, dhcp.client(), edge);
        }
        final var kind = dhcp.connection().source() instanceof Inet4Address ? Kind.DHCPV4 : Kind.DHCPV6;
        return passOn(in, dhcp.ethernet(),
            new Matter(kind, dhcp.messageType(), dhcp.ethernet().source(), dhcp.client()), edge, nowNs);
    }

    private List<PacketOut> router(final PacketIn in, final Kind kind, final Ethernet ethernet, final Edge edge,
            final long nowNs) {
        return passOn(in, ethernet, new Matter(kind, 0, ethernet.source(), ethernet.source()), edge, nowNs);
    }

    /** To the host that it is addressed to; if that is a group or unknown, to all other edge ports. */
    private List<PacketOut> passOn(final PacketIn in, final Ethernet ethernet, final Object matter, final Edge edge,
            final long nowNs) {
        return hosts.host(ethernet.destination()).isPresent() ? toHost(in, ethernet.destination(), edge)
            : toOthers(in, matter, edge, nowNs);
    }

    private List<PacketOut> toHost(final PacketIn in, final MacAddress mac, final Edge edge) {
        return hosts.host(mac).map(Host::attachment)
            .filter(port -> edge.ports().contains(port) && !port.equals(in.port()))
            .map(port -> List.of(new PacketOut(port, in.frame()))).orElse(List.of());
    }

    private List<PacketOut> toOthers(final PacketIn in, final Object matter, final Edge edge, final long nowNs) {
        return toAll(in.frame(), matter, edge, nowNs).stream().filter(out -> !out.port().equals(in.port())).toList();
    }

    private List<PacketOut> toAll(final byte[] frame, final Object matter, final Edge edge, final long nowNs) {
        if (!pace.permits(matter, nowNs)) {
            withheld++;
            return List.of();
        }
        return edge.ports().stream().sorted().map(port -> new PacketOut(port, frame)).toList();
    }
}

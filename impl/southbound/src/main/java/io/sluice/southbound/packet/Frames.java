// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.MacAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** Reads frames, and builds those that the fabric sends by itself. Frames are without their check sequence. */
public final class Frames {
    private static final int MINIMUM = 60;
    private static final int ETHERNET_HEADER = 14;
    private static final int VLAN_TAG = 4;
    private static final int ARP_LENGTH = 28;
    private static final int IPV6_HEADER = 40;
    /** An ICMPv6 header, flags, a target and one link-layer address option. */
    private static final int ND_LENGTH = 32;
    private static final int IPV4_HEADER = 20;
    private static final int HOP_LIMIT = 64;
    private static final int UDP_LENGTH = 8;
    /** Stands for checksum 0, as 0 means that there is none (RFC 768). */
    private static final int UDP_ZERO = 0xffff;
    private static final int TCP_LENGTH = 20;
    /** Words of a TCP header without options, and the flag ACK (RFC 9293, section 3.1). */
    private static final int TCP_OFFSET_AND_ACK = 5 << 12 | 0x10;

    private Frames() {
        // functions only
    }

    /** Says what {@code frame} is; never throws, and keeps no reference to it. */
    public static Packet parse(final byte[] frame) {
        try {
            return new FrameReader(frame).read();
        } catch (MalformedFrameException e) {
            return new Packet.Malformed(e.getMessage());
        }
    }

    /** True for a frame with a TCP segment that opens a connection: SYN without ACK (RFC 9293, section 3.5). */
    public static boolean opensConnection(final byte[] frame) {
        try {
            return IpDatagram.read(frame).opens();
        } catch (MalformedFrameException e) {
            return false;
        }
    }

    /** "Who has {@code targetIp}? Tell {@code senderIp}": to all, untagged (RFC 826). */
    public static byte[] arpRequest(final MacAddress senderMac, final InetAddress senderIp,
            final InetAddress targetIp) {
        return arp(new Ethernet(MacAddress.BROADCAST, senderMac, Ethernet.UNTAGGED), 1, senderIp, new MacAddress(0),
            targetIp);
    }

    /** Returns {@code frame}, which has no tag, with that of {@code vlan}; unchanged if that is for untagged frames. */
    public static byte[] tagged(final byte[] frame, final int vlan) {
        if (vlan == Ethernet.UNTAGGED) {
            return frame;
        }
        final int addresses = ETHERNET_HEADER - 2;
        return ByteBuffer.allocate(frame.length + VLAN_TAG).put(frame, 0, addresses).putShort((short) EtherType.VLAN)
            .putShort((short) vlan).put(frame, addresses, frame.length - addresses).array();
    }

    /** "{@code senderIp} is at {@code ethernet.source()}", told to {@code ethernet.destination()} (RFC 826). */
    public static byte[] arpReply(final Ethernet ethernet, final InetAddress senderIp, final InetAddress targetIp) {
        return arp(ethernet, 2, senderIp, ethernet.destination(), targetIp);
    }

    /** "Who has {@code target}?", to its solicited-node group, untagged (RFC 4861, sections 4.3 and 7.2.2). */
    public static byte[] neighbourSolicitation(final MacAddress senderMac, final InetAddress source,
            final InetAddress target) {
        final var group = solicitedNode(target);
        return neighbourDiscovery(new Ethernet(groupMac(group), senderMac, Ethernet.UNTAGGED), source, group,
            new Body(Nd.NEIGHBOUR_SOLICITATION, 0, target, Nd.OPTION_SOURCE_MAC));
    }

    /**
     * "{@code target} is at {@code ethernet.source()}", with the override flag and the target link-layer address option
     * (RFC 4861, section 4.4). It is flagged as solicited unless it goes to a group (section 7.2.4).
     */
    public static byte[] neighbourAdvertisement(final Ethernet ethernet, final InetAddress target,
            final InetAddress destination) {
        final int solicited = destination.isMulticastAddress() ? 0 : Nd.FLAG_SOLICITED;
        return neighbourDiscovery(ethernet, target, destination,
            new Body(Nd.NEIGHBOUR_ADVERTISEMENT, solicited | Nd.FLAG_OVERRIDE, target, Nd.OPTION_TARGET_MAC));
    }

    /** A frame of {@code length} octets, 60..1514, with zeros behind its header. */
    public static byte[] zeros(final Ethernet ethernet, final int etherType, final int length) {
        return start(ethernet, etherType, length - ETHERNET_HEADER).array();
    }

    /**
     * A TCP or UDP packet that carries nothing, untagged (RFC 768, RFC 9293).
     *
     * @throws IllegalArgumentException if {@code connection} is of another protocol
     */
    public static byte[] ip(final MacAddress source, final MacAddress destination, final Connection connection) {
        if (!connection.hasPorts()) {
            throw new IllegalArgumentException("neither TCP nor UDP: " + connection);
        }
        return ip(new Ethernet(destination, source, Ethernet.UNTAGGED), connection, 0, segment(connection));
    }

    /**
     * An IP packet with a finished transport message in it.
     *
     * @param connection gives the addresses and the protocol
     * @param trafficClass 0..255 (RFC 791, type of service; RFC 8200, section 3)
     */
    static byte[] ip(final Ethernet ethernet, final Connection connection, final int trafficClass,
            final byte[] message) {
        final var from = connection.source().getAddress();
        final var to = connection.destination().getAddress();
        if (from.length == 4) {
            final var header = ByteBuffer.allocate(IPV4_HEADER).put((byte) (4 << 4 | IPV4_HEADER / 4))
                .put((byte) trafficClass).putShort((short) (IPV4_HEADER + message.length)).putInt(0)
                .put((byte) HOP_LIMIT).put((byte) connection.protocol()).putShort((short) 0).put(from).put(to);
            header.putShort(10, (short) Checksum.of(header.array()));
            return start(ethernet, EtherType.IPV4, IPV4_HEADER + message.length).put(header.array()).put(message)
                .array();
        }
        return start(ethernet, EtherType.IPV6, IPV6_HEADER + message.length)
            .putInt(6 << 28 | trafficClass << 20).putShort((short) message.length).put((byte) connection.protocol())
            .put((byte) HOP_LIMIT).put(from).put(to).put(message).array();
    }

    private static byte[] segment(final Connection connection) {
        final boolean tcp = connection.protocol() == FlowMatch.PROTOCOL_TCP;
        final var segment = ByteBuffer.allocate(tcp ? TCP_LENGTH : UDP_LENGTH)
            .putShort((short) connection.sourcePort()).putShort((short) connection.destinationPort());
        segment.putShort(tcp ? 12 : 4, (short) (tcp ? TCP_OFFSET_AND_ACK : UDP_LENGTH));
        final int checksum = Checksum.of(connection.protocol(), connection.source(), connection.destination(),
            segment.array());
        return segment.putShort(tcp ? 16 : 6, (short) (checksum == 0 && !tcp ? UDP_ZERO : checksum)).array();
    }

    /** The Ethernet group of an IPv6 multicast address: 33:33 and its last four octets (RFC 2464, section 7). */
    public static MacAddress groupMac(final InetAddress group) {
        return new MacAddress(0x3333_0000_0000L | ByteBuffer.wrap(group.getAddress()).getInt(12) & 0xffff_ffffL);
    }

    /** The group of the nodes that {@code target} may be an address of (RFC 4291, section 2.7.1). */
    public static InetAddress solicitedNode(final InetAddress target) {
        final var octets = ByteBuffer.allocate(16).putShort((short) 0xff02)
            .putInt(8, 1).putInt(12, 0xff00_0000 | ByteBuffer.wrap(target.getAddress()).getInt(12)).array();
        try {
            return Inet6Address.getByAddress(null, octets, -1);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of 16 octets", e);
        }
    }

    private static byte[] arp(final Ethernet ethernet, final int operation, final InetAddress senderIp,
            final MacAddress targetMac, final InetAddress targetIp) {
        final var out = start(ethernet, EtherType.ARP, ARP_LENGTH);
        out.putShort((short) 1).putShort((short) EtherType.IPV4).put((byte) 6).put((byte) 4)
            .putShort((short) operation);
        put(out, ethernet.source());
        out.put(senderIp.getAddress());
        put(out, targetMac);
        return out.put(targetIp.getAddress()).array();
    }

    private record Body(int type, int flags, InetAddress target, int option) { }

    private static byte[] neighbourDiscovery(final Ethernet ethernet, final InetAddress source,
            final InetAddress destination, final Body body) {
        final var message = ByteBuffer.allocate(ND_LENGTH).put((byte) body.type()).put((byte) 0).putShort((short) 0)
            .putInt(body.flags()).put(body.target().getAddress()).put((byte) body.option()).put((byte) 1);
        put(message, ethernet.source());
        message.putShort(2, (short) Checksum.of(FlowMatch.PROTOCOL_ICMPV6, source, destination,
            message.array()));
        return start(ethernet, EtherType.IPV6, IPV6_HEADER + ND_LENGTH)
            .putInt(6 << 28).putShort((short) ND_LENGTH).put((byte) FlowMatch.PROTOCOL_ICMPV6).put((byte) Nd.HOP_LIMIT)
            .put(source.getAddress()).put(destination.getAddress()).put(message.array()).array();
    }

    /** An Ethernet header, with room for {@code length} octets and for padding up to the least frame. */
    private static ByteBuffer start(final Ethernet ethernet, final int etherType, final int length) {
        final int header = ETHERNET_HEADER + (ethernet.vlan() == Ethernet.UNTAGGED ? 0 : VLAN_TAG);
        final var out = ByteBuffer.allocate(Math.max(MINIMUM, header + length));
        put(out, ethernet.destination());
        put(out, ethernet.source());
        if (ethernet.vlan() != Ethernet.UNTAGGED) {
            out.putShort((short) EtherType.VLAN).putShort((short) ethernet.vlan());
        }
        return out.putShort((short) etherType);
    }

    private static void put(final ByteBuffer out, final MacAddress mac) {
        out.putShort((short) (mac.value() >> 32)).putInt((int) mac.value());
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import io.sluice.api.FlowMatch;
import io.sluice.api.MacAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** Reads frames, and builds those that the fabric sends by itself. Frames are without their check sequence. */
public final class Frames {
    private static final int MINIMUM = 60;
    private static final int ARP_LENGTH = 28;
    private static final int IPV6_HEADER = 40;
    /** An ICMPv6 header, flags, a target and one link-layer address option. */
    private static final int ND_LENGTH = 32;

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

    /** "Who has {@code targetIp}? Tell {@code senderIp}": to all, untagged (RFC 826). */
    public static byte[] arpRequest(final MacAddress senderMac, final InetAddress senderIp,
            final InetAddress targetIp) {
        return arp(new Ethernet(MacAddress.BROADCAST, senderMac, Ethernet.UNTAGGED), 1, senderIp, new MacAddress(0),
            targetIp);
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

    /** The Ethernet group of an IPv6 multicast address: 33:33 and its last four octets (RFC 2464, section 7). */
    public static MacAddress groupMac(final InetAddress group) {
        return new MacAddress(0x3333_0000_0000L | ByteBuffer.wrap(group.getAddress()).getInt(12) & 0xffff_ffffL);
    }

    /** RFC 4291, section 2.7.1. */
    private static InetAddress solicitedNode(final InetAddress target) {
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
        message.putShort(2, (short) Checksum.icmpv6(source, destination, message.array()));
        return start(ethernet, EtherType.IPV6, IPV6_HEADER + ND_LENGTH)
            .putInt(6 << 28).putShort((short) ND_LENGTH).put((byte) FlowMatch.PROTOCOL_ICMPV6).put((byte) Nd.HOP_LIMIT)
            .put(source.getAddress()).put(destination.getAddress()).put(message.array()).array();
    }

    /** An Ethernet header, with room for {@code length} octets and for padding up to the least frame. */
    private static ByteBuffer start(final Ethernet ethernet, final int etherType, final int length) {
        final int header = ethernet.vlan() == Ethernet.UNTAGGED ? 14 : 18;
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

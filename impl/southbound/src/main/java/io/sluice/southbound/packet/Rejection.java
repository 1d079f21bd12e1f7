// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * The answer to a packet whose connection can't be had, addressed from the packet's destination to its source.
 *
 * <p>TCP gets a reset (RFC 9293, section 3.10.7.1). All else gets an ICMP error that communication is administratively
 * prohibited (RFC 1812, section 5.2.7.1; RFC 4443, section 3.1). Checksums of the packet are not looked at: a host that
 * leaves them to its network adapter sends packets without them in virtual networks.
 *
 * @param frame to send to the port where the packet came in
 */
public record Rejection(Kind kind, byte[] frame) {
    private static final int TCP_LENGTH = 20;
    private static final int FLAG_FIN = 0x01;
    private static final int FLAG_SYN = 0x02;
    private static final int FLAG_RST = 0x04;
    private static final int FLAG_ACK = 0x10;

    private static final int ICMP_UNREACHABLE = 3;
    private static final int ICMP_PROHIBITED = 13;
    /** Unreachable, source quench, redirect, time exceeded, parameter problem (RFC 1122, section 3.2.2). */
    private static final Set<Integer> ICMP_ERRORS = Set.of(3, 4, 5, 11, 12);
    private static final int ICMPV6_UNREACHABLE = 1;
    private static final int ICMPV6_PROHIBITED = 1;
    /** Smaller types are errors (RFC 4443, section 2.1). */
    private static final int ICMPV6_INFORMATIONAL = 128;
    private static final int ICMPV6_REDIRECT = 137;
    /** ICMP header and the word behind it, which is unused. */
    private static final int ICMP_LENGTH = 8;
    /** An IPv4 packet with an error has so many octets at most (RFC 1812, section 4.3.2.3). */
    private static final int IPV4_MOST = 576;
    /** The same for IPv6: the least MTU (RFC 4443, section 2.4). */
    private static final int IPV6_MOST = 1280;
    private static final int IPV6_HEADER = 40;
    private static final int IPV4_HEADER = 20;
    /** Precedence of errors over IPv4 (RFC 1812, section 4.3.2.5): internetwork control. */
    private static final int PRECEDENCE_6 = 0xc0;

    /** How the sender learns of the refusal. */
    public enum Kind {
        /** By a TCP reset. */
        RESET,
        /** By an ICMP error. */
        UNREACHABLE
    }

    /** Returns the answer to {@code packet}, a frame; nothing if it must not be answered, or is malformed. */
    public static Optional<Rejection> of(final byte[] packet) {
        try {
            return Optional.of(IpDatagram.read(packet))
                .filter(read -> !read.later() && read.isBetweenHosts())
                .flatMap(read -> read.protocol() == FlowMatch.PROTOCOL_TCP ? reset(read) : unreachable(read));
        } catch (MalformedFrameException e) {
            return Optional.empty();
        }
    }

    /** RFC 9293, section 3.10.7.1: an acceptable answer to any segment but a reset. */
    private static Optional<Rejection> reset(final IpDatagram packet) {
        final var segment = packet.transport();
        final var in = ByteBuffer.wrap(segment);
        final int header = segment.length < TCP_LENGTH ? 0 : (segment[12] >> 4 & 0xf) * 4;
        if (header < TCP_LENGTH || header > segment.length || (segment[13] & FLAG_RST) != 0) {
            return Optional.empty();
        }
        final int flags = segment[13];
        final int length = segment.length - header + ((flags & FLAG_SYN) != 0 ? 1 : 0)
            + ((flags & FLAG_FIN) != 0 ? 1 : 0);
        final boolean acknowledges = (flags & FLAG_ACK) != 0;
        final var answer = ByteBuffer.allocate(TCP_LENGTH).putShort(in.getShort(2)).putShort(in.getShort(0))
            .putInt(acknowledges ? in.getInt(8) : 0).putInt(acknowledges ? 0 : in.getInt(4) + length)
            .put((byte) (TCP_LENGTH / 4 << 4)).put((byte) (acknowledges ? FLAG_RST : FLAG_RST | FLAG_ACK)).array();
        return Optional.of(new Rejection(Kind.RESET, answer(packet, FlowMatch.PROTOCOL_TCP, 0, checked(packet,
            FlowMatch.PROTOCOL_TCP, 16, answer))));
    }

    private static Optional<Rejection> unreachable(final IpDatagram packet) {
        if (isError(packet)) {
            return Optional.empty();
        }
        final boolean ipv6 = packet.destination().getAddress().length > 4;
        final int room = (ipv6 ? IPV6_MOST - IPV6_HEADER : IPV4_MOST - IPV4_HEADER) - ICMP_LENGTH;
        final int quoted = Math.min(room, packet.datagram().length);
        final var message = ByteBuffer.allocate(ICMP_LENGTH + quoted)
            .put((byte) (ipv6 ? ICMPV6_UNREACHABLE : ICMP_UNREACHABLE))
            .put((byte) (ipv6 ? ICMPV6_PROHIBITED : ICMP_PROHIBITED))
            .put(ICMP_LENGTH, packet.datagram(), 0, quoted).array();
        if (ipv6) {
            return Optional.of(new Rejection(Kind.UNREACHABLE, answer(packet, FlowMatch.PROTOCOL_ICMPV6, 0,
                checked(packet, FlowMatch.PROTOCOL_ICMPV6, 2, message))));
        }
        ByteBuffer.wrap(message).putShort(2, (short) Checksum.of(message));
        return Optional.of(new Rejection(Kind.UNREACHABLE, answer(packet, FlowMatch.PROTOCOL_ICMP, PRECEDENCE_6,
            message)));
    }

    /** True for an ICMP error, and for ICMP whose type can't be read. */
    private static boolean isError(final IpDatagram packet) {
        final var message = packet.transport();
        final int type = message.length == 0 ? -1 : message[0] & 0xff;
        return switch (packet.protocol()) {
            case FlowMatch.PROTOCOL_ICMP -> type < 0 || ICMP_ERRORS.contains(type);
            case FlowMatch.PROTOCOL_ICMPV6 -> type < ICMPV6_INFORMATIONAL || type == ICMPV6_REDIRECT;
            default -> false;
        };
    }

    /** Puts the checksum with the pseudo-header into {@code message}, where there is 0 so far. */
    private static byte[] checked(final IpDatagram packet, final int protocol, final int at, final byte[] message) {
        return ByteBuffer.wrap(Arrays.copyOf(message, message.length)).putShort(at, (short) Checksum.of(protocol,
            packet.destination(), packet.source(), message)).array();
    }

    private static byte[] answer(final IpDatagram packet, final int protocol, final int trafficClass,
            final byte[] message) {
        final var there = packet.ethernet();
        return Frames.ip(new Ethernet(there.source(), there.destination(), there.vlan()),
            new Connection(protocol, packet.destination(), packet.source(), 0, 0), trafficClass, message);
    }
}

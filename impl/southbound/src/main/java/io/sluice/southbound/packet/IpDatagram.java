// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import io.sluice.api.FlowMatch;
import io.sluice.api.MacAddress;
import java.net.InetAddress;
import java.util.Arrays;

/**
 * An IP packet with its transport header, as far as an answer by an error depends on it.
 *
 * @param datagram octets from the start of the IP header to the end of the packet, without padding
 * @param transportAt where in {@code datagram} the transport header begins
 * @param later true for a fragment other than the first
 */
record IpDatagram(Ethernet ethernet, InetAddress source, InetAddress destination, int protocol, byte[] datagram,
        int transportAt, boolean later) {
    private static final int IPV4_HEADER = 20;
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int DESTINATION_OPTIONS = 60;
    /** Addresses from here on are reserved (RFC 1112, section 4). */
    private static final int CLASS_E = 0xf0;
    private static final int TCP_LENGTH = 20;
    private static final int SYN_AND_ACK = 0x12;
    private static final int SYN = 0x02;

    /** Reads a frame that carries IP. */
    static IpDatagram read(final byte[] frame) throws MalformedFrameException {
        final var in = new Cursor(frame);
        final MacAddress destination = in.mac();
        final MacAddress source = in.mac();
        int etherType = in.u16();
        int vlan = Ethernet.UNTAGGED;
        if (etherType == EtherType.VLAN) {
            vlan = in.u16() & 0xfff;
            etherType = in.u16();
        }
        final var ethernet = new Ethernet(destination, source, vlan);
        return switch (etherType) {
            case EtherType.IPV4 -> ipv4(in, ethernet);
            case EtherType.IPV6 -> ipv6(in, ethernet);
            default -> throw new MalformedFrameException("Ethernet header: no IP behind it");
        };
    }

    /** Octets of the transport header and of what follows. */
    byte[] transport() {
        return Arrays.copyOfRange(datagram, transportAt, datagram.length);
    }

    /** True for a TCP segment that opens a connection (RFC 9293, section 3.5). */
    boolean opens() {
        final var segment = transport();
        return protocol == FlowMatch.PROTOCOL_TCP && !later && segment.length >= TCP_LENGTH
            && (segment[13] & SYN_AND_ACK) == SYN;
    }

    /** True if an answer would reach one host that has sent the packet to one host (RFC 1122, section 3.2.2). */
    boolean isBetweenHosts() {
        return !ethernet.source().isGroup() && !ethernet.destination().isGroup() && isHost(source)
            && isHost(destination);
    }

    private static boolean isHost(final InetAddress address) {
        final var octets = address.getAddress();
        return !address.isMulticastAddress() && !address.isAnyLocalAddress() && !address.isLoopbackAddress()
            && (octets.length > 4 || (octets[0] & 0xff) < CLASS_E && octets[0] != 0);
    }

    private static IpDatagram ipv4(final Cursor in, final Ethernet ethernet) throws MalformedFrameException {
        in.header("IPv4");
        final int start = in.position();
        final int available = in.remaining();
        final int versionAndLength = in.u8();
        final int headerLength = (versionAndLength & 0xf) * 4;
        if (versionAndLength >> 4 != 4 || headerLength < IPV4_HEADER) {
            throw new MalformedFrameException("IPv4: version and length 0x" + Integer.toHexString(versionAndLength));
        }
        in.skip(1);
        in.limit(in.u16() - (available - in.remaining()));
        in.skip(2);
        final boolean later = (in.u16() & 0x1fff) != 0;
        in.skip(1);
        final int protocol = in.u8();
        in.skip(2);
        final var source = in.ipv4();
        final var destination = in.ipv4();
        in.skip(headerLength - IPV4_HEADER);
        return new IpDatagram(ethernet, source, destination, protocol, in.since(start), headerLength, later);
    }

    private static IpDatagram ipv6(final Cursor in, final Ethernet ethernet) throws MalformedFrameException {
        in.header("IPv6");
        final int start = in.position();
        if (in.u32() >> 28 != 6) {
            throw new MalformedFrameException("IPv6: other version");
        }
        final int payloadLength = in.u16();
        int header = in.u8();
        in.skip(1);
        final var source = in.ipv6();
        final var destination = in.ipv6();
        in.limit(payloadLength);
        in.header("IPv6 extension header");
        boolean later = false;
        while (!later && (header == HOP_BY_HOP || header == ROUTING || header == DESTINATION_OPTIONS
                || header == FRAGMENT)) {
            final int next = in.u8();
            if (header == FRAGMENT) {
                in.skip(1);
                later = in.u16() >> 3 != 0;
                in.skip(4);
            } else {
                in.skip(in.u8() * 8 + 6);
            }
            header = next;
        }
        return new IpDatagram(ethernet, source, destination, header, in.since(start), in.position() - start, later);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import io.sluice.api.FlowMatch;
import io.sluice.api.MacAddress;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;

/** Gives an IP packet other addresses, and adjusts the checksums that cover them (RFC 1624). */
public final class Readdressing {
    private static final int ETHERNET_HEADER = 14;
    private static final int VLAN_TAG = 4;
    private static final int IPV4_CHECKSUM = 10;
    private static final int IPV4_SOURCE = 12;
    private static final int IPV6_SOURCE = 8;
    private static final int TCP_CHECKSUM = 16;
    private static final int UDP_CHECKSUM = 6;
    private static final int CHECKSUM_LENGTH = 2;
    /** Stands for checksum 0, as 0 means that there is none (RFC 768). */
    private static final int UDP_ZERO = 0xffff;

    private Readdressing() {
        // functions only
    }

    /**
     * Returns {@code frame} as a packet from {@code source} to {@code destination}, sent to {@code to}. A fragment that
     * is not the first has no transport checksum and keeps its data.
     *
     * @return nothing if the frame is no packet of that IP version, or ends before its TCP or UDP checksum
     */
    public static Optional<byte[]> of(final byte[] frame, final MacAddress to, final InetAddress source,
            final InetAddress destination) {
        try {
            final var packet = IpDatagram.read(frame);
            final boolean sameVersion = source.getClass() == packet.source().getClass();
            return sameVersion && hasChecksum(packet) ? Optional.of(write(frame, packet, to, ByteBuffer
                .allocate(2 * source.getAddress().length).put(source.getAddress()).put(destination.getAddress())
                .array())) : Optional.empty();
        } catch (MalformedFrameException e) {
            return Optional.empty();
        }
    }

    private static byte[] write(final byte[] frame, final IpDatagram packet, final MacAddress to,
            final byte[] addresses) {
        final int start = ETHERNET_HEADER + (isTagged(frame) ? VLAN_TAG : 0);
        final boolean ipv4 = packet.source().getAddress().length == 4;
        final int at = start + (ipv4 ? IPV4_SOURCE : IPV6_SOURCE);
        final var out = ByteBuffer.wrap(frame.clone());
        final var before = new byte[addresses.length];
        out.get(at, before).put(at, addresses);
        if (ipv4) {
            adjust(out, start + IPV4_CHECKSUM, before, addresses);
        }
        checksum(packet).ifPresent(place -> adjustTransport(out, start + place,
            packet.protocol() == FlowMatch.PROTOCOL_UDP, before, addresses));
        return out.putShort(0, (short) (to.value() >> 32)).putInt(2, (int) to.value()).array();
    }

    private static void adjustTransport(final ByteBuffer out, final int at, final boolean udp, final byte[] before,
            final byte[] after) {
        if (!udp || out.getShort(at) != 0) {
            adjust(out, at, before, after);
            if (udp && out.getShort(at) == 0) {
                out.putShort(at, (short) UDP_ZERO);
            }
        }
    }

    /** Place of the transport checksum in the packet; nothing if it has none. */
    private static OptionalInt checksum(final IpDatagram packet) {
        return switch (packet.later() ? FlowMatch.PROTOCOL_IPV6_FRAGMENT : packet.protocol()) {
            case FlowMatch.PROTOCOL_TCP -> OptionalInt.of(packet.transportAt() + TCP_CHECKSUM);
            case FlowMatch.PROTOCOL_UDP -> OptionalInt.of(packet.transportAt() + UDP_CHECKSUM);
            default -> OptionalInt.empty();
        };
    }

    /** False if the transport checksum would be in a later fragment. */
    private static boolean hasChecksum(final IpDatagram packet) {
        return checksum(packet).stream().allMatch(place -> place + CHECKSUM_LENGTH <= packet.datagram().length);
    }

    private static boolean isTagged(final byte[] frame) {
        return ByteBuffer.wrap(frame).getShort(ETHERNET_HEADER - 2) == (short) EtherType.VLAN;
    }

    private static void adjust(final ByteBuffer out, final int at, final byte[] before, final byte[] after) {
        out.putShort(at, (short) Checksum.adjusted(out.getShort(at) & 0xffff, before, after));
    }
}

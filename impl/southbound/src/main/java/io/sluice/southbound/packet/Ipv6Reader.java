// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.Fragment;
import io.sluice.api.MacAddress;
import java.net.InetAddress;
import java.util.Optional;

/** Reads an IPv6 header with its extensions (RFC 8200, section 4) and neighbour discovery (RFC 4861). */
final class Ipv6Reader {
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int MORE_FRAGMENTS = 1;
    private static final int DESTINATION_OPTIONS = 60;

    private final Cursor in;
    private final Ethernet ethernet;
    private int hopLimit;
    private InetAddress source;
    private InetAddress destination;

    Ipv6Reader(final Cursor in, final Ethernet ethernet) {
        this.in = in;
        this.ethernet = ethernet;
    }

    Packet read() throws MalformedFrameException {
        in.header("IPv6");
        if (in.u32() >> 28 != 6) {
            throw new MalformedFrameException("IPv6: other version");
        }
        final int payloadLength = in.u16();
        final int nextHeader = in.u8();
        hopLimit = in.u8();
        source = in.ipv6();
        destination = in.ipv6();
        in.limit(payloadLength);
        return behindExtensions(nextHeader);
    }

    /** Ends: each extension header takes at least 8 octets of the packet. */
    private Packet behindExtensions(final int firstHeader) throws MalformedFrameException {
        in.header("IPv6 extension header");
        int header = firstHeader;
        var fragment = Optional.<Fragment>empty();
        boolean atomic = false;
        while (true) {
            switch (header) {
                case HOP_BY_HOP, ROUTING, DESTINATION_OPTIONS -> {
                    header = in.u8();
                    in.skip(in.u8() * 8 + 6);
                }
                case FlowMatch.PROTOCOL_IPV6_FRAGMENT -> {
                    header = in.u8();
                    in.skip(1);
                    final int place = in.u16();
                    final long identification = in.u32();
                    if (place >> 3 != 0) {
                        return new Packet.Ip(ethernet, new Connection(header, source, destination, 0, 0),
                            Optional.of(new Fragment(identification, false)));
                    }
                    atomic = (place & MORE_FRAGMENTS) == 0;
                    fragment = atomic ? fragment : Optional.of(new Fragment(identification, true));
                }
                default -> {
                    // neighbour discovery is void in fragments (RFC 6980, section 5)
                    return header == FlowMatch.PROTOCOL_ICMPV6 && !atomic && fragment.isEmpty() ? icmp()
                        : FrameReader.transport(in, ethernet, new Connection(header, source, destination, 0, 0),
                            fragment);
                }
            }
        }
    }

    private Packet icmp() throws MalformedFrameException {
        in.header("ICMPv6");
        final int start = in.position();
        final int type = in.u8();
        if (type < Nd.ROUTER_SOLICITATION || type > Nd.NEIGHBOUR_ADVERTISEMENT) {
            return new Packet.Ip(ethernet, new Connection(FlowMatch.PROTOCOL_ICMPV6, source, destination, 0, 0));
        }
        if (in.u8() != 0 || hopLimit != Nd.HOP_LIMIT) {
            throw new MalformedFrameException("neighbour discovery: code is not 0 or hop limit is not 255");
        }
        if (Checksum.of(FlowMatch.PROTOCOL_ICMPV6, source, destination, in.since(start)) != 0) {
            throw new MalformedFrameException("neighbour discovery: wrong checksum");
        }
        in.skip(2);
        return switch (type) {
            case Nd.ROUTER_SOLICITATION -> {
                in.skip(4);
                option(Nd.OPTION_SOURCE_MAC);
                yield new Packet.RouterSolicitation(ethernet, source);
            }
            case Nd.ROUTER_ADVERTISEMENT -> {
                in.skip(12);
                option(Nd.OPTION_SOURCE_MAC);
                yield new Packet.RouterAdvertisement(ethernet, source);
            }
            case Nd.NEIGHBOUR_SOLICITATION -> {
                in.skip(4);
                final var target = target();
                option(Nd.OPTION_SOURCE_MAC);
                yield new Packet.NeighbourSolicitation(ethernet, source, target);
            }
            default -> {
                final long flags = in.u32();
                yield new Packet.NeighbourAdvertisement(ethernet, destination, target(),
                    option(Nd.OPTION_TARGET_MAC), (flags & Nd.FLAG_SOLICITED) != 0, (flags & Nd.FLAG_OVERRIDE) != 0);
            }
        };
    }

    private InetAddress target() throws MalformedFrameException {
        final var target = in.ipv6();
        if (target.isMulticastAddress()) {
            throw new MalformedFrameException("neighbour discovery: multicast target");
        }
        return target;
    }

    /** Walks all options and returns the link-layer address of the first one of type {@code wanted}. */
    private Optional<MacAddress> option(final int wanted) throws MalformedFrameException {
        in.header("neighbour discovery option");
        Optional<MacAddress> found = Optional.empty();
        while (in.remaining() > 0) {
            final int type = in.u8();
            final int length = in.u8() * 8;
            if (length == 0) {
                throw new MalformedFrameException("neighbour discovery option: length 0");
            }
            if (type == wanted && length == 8 && found.isEmpty()) {
                found = Optional.of(in.mac());
            } else {
                in.skip(length - 2);
            }
        }
        return found;
    }
}

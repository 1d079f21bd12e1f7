// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.Fragment;
import io.sluice.api.MacAddress;
import java.net.InetAddress;
import java.util.Optional;

/** Reads Ethernet, ARP, IPv4, transport ports and DHCP; {@link Ipv6Reader} the rest. One reader reads one frame. */
final class FrameReader {
    private static final int HARDWARE_ETHERNET = 1;
    private static final int MAC_LENGTH = 6;
    private static final int IPV4_HEADER = 20;
    private static final int MORE_FRAGMENTS = 0x2000;
    private static final int FRAGMENT_OFFSET = 0x1fff;

    private static final int DHCP4_SERVER = 67;
    private static final int DHCP4_CLIENT = 68;
    private static final int DHCP6_CLIENT = 546;
    private static final int DHCP6_SERVER = 547;
    private static final long DHCP_COOKIE = 0x6382_5363L;
    private static final int DHCP_REQUEST = 3;
    private static final int DHCP_ACK = 5;
    private static final int OPTION_PAD = 0;
    private static final int OPTION_REQUESTED_ADDRESS = 50;
    private static final int OPTION_MESSAGE_TYPE = 53;
    private static final int OPTION_END = 255;

    private final Cursor in;

    /**
     * What the options of a DHCPv4 message say.
     *
     * @param messageType 0 without such an option
     * @param requested address that a client wants (RFC 2132, section 9.1)
     */
    private record DhcpOptions(int messageType, Optional<InetAddress> requested) { }

    FrameReader(final byte[] frame) {
        in = new Cursor(frame);
    }

    Packet read() throws MalformedFrameException {
        final var destination = in.mac();
        final var source = in.mac();
        int etherType = in.u16();
        int vlan = Ethernet.UNTAGGED;
        if (etherType == EtherType.VLAN) {
            vlan = in.u16() & 0xfff;
            etherType = in.u16();
        }
        final var ethernet = new Ethernet(destination, source, vlan);
        return switch (etherType) {
            case EtherType.ARP -> arp(ethernet);
            case EtherType.IPV4 -> ipv4(ethernet);
            case EtherType.IPV6 -> new Ipv6Reader(in, ethernet).read();
            default -> new Packet.Other(ethernet, etherType);
        };
    }

    private Packet arp(final Ethernet ethernet) throws MalformedFrameException {
        in.header("ARP");
        if (in.u16() != HARDWARE_ETHERNET || in.u16() != EtherType.IPV4 || in.u8() != MAC_LENGTH || in.u8() != 4) {
            throw new MalformedFrameException("ARP: not for IPv4 over Ethernet");
        }
        final int operation = in.u16();
        if (operation != 1 && operation != 2) {
            throw new MalformedFrameException("ARP: operation " + operation);
        }
        final var senderMac = in.mac();
        final var senderIp = in.ipv4();
        in.skip(MAC_LENGTH);
        return new Packet.Arp(ethernet, operation == 1, senderMac, senderIp, in.ipv4());
    }

    private Packet ipv4(final Ethernet ethernet) throws MalformedFrameException {
        in.header("IPv4");
        final int available = in.remaining();
        final int versionAndLength = in.u8();
        final int headerLength = (versionAndLength & 0xf) * 4;
        if (versionAndLength >> 4 != 4 || headerLength < IPV4_HEADER) {
            throw new MalformedFrameException("IPv4: version and length 0x" + Integer.toHexString(versionAndLength));
        }
        in.skip(1);
        final int totalLength = in.u16();
        in.limit(totalLength - (available - in.remaining()));
        final int identification = in.u16();
        final int place = in.u16();
        in.skip(1);
        final int protocol = in.u8();
        in.skip(2);
        final var source = in.ipv4();
        final var destination = in.ipv4();
        in.skip(headerLength - IPV4_HEADER);
        final boolean first = (place & FRAGMENT_OFFSET) == 0;
        final var fragment = first && (place & MORE_FRAGMENTS) == 0 ? Optional.<Fragment>empty()
            : Optional.of(new Fragment(identification, first));
        final var portless = new Connection(protocol, source, destination, 0, 0);
        return first ? transport(in, ethernet, portless, fragment) : new Packet.Ip(ethernet, portless, fragment);
    }

    /** Reads from the transport header of an IP packet, or of its first fragment. */
    static Packet transport(final Cursor in, final Ethernet ethernet, final Connection portless,
            final Optional<Fragment> fragment) throws MalformedFrameException {
        final int protocol = portless.protocol();
        final var source = portless.source();
        if (!portless.hasPorts()) {
            return new Packet.Ip(ethernet, portless, fragment);
        }
        in.header("transport header");
        final var connection = new Connection(protocol, source, portless.destination(), in.u16(), in.u16());
        if (protocol == FlowMatch.PROTOCOL_UDP) {
            in.skip(4);
            final boolean ipv6 = source.getAddress().length == 16;
            final int port = connection.destinationPort();
            if (!ipv6 && (port == DHCP4_SERVER || port == DHCP4_CLIENT)) {
                return dhcp4(in, ethernet, connection);
            }
            if (ipv6 && (port == DHCP6_SERVER || port == DHCP6_CLIENT)) {
                return dhcp6(in, ethernet, connection);
            }
        }
        return new Packet.Ip(ethernet, connection, fragment);
    }

    private static Packet dhcp6(final Cursor in, final Ethernet ethernet, final Connection connection)
            throws MalformedFrameException {
        in.header("DHCPv6");
        final boolean toServer = connection.destinationPort() == DHCP6_SERVER;
        return new Packet.Dhcp(ethernet, connection, toServer, in.u8(),
            toServer ? ethernet.source() : ethernet.destination(), Optional.empty());
    }

    /** RFC 2131, section 2, figure 1. */
    private static Packet dhcp4(final Cursor in, final Ethernet ethernet, final Connection connection)
            throws MalformedFrameException {
        in.header("DHCPv4");
        final int operation = in.u8();
        if (operation != 1 && operation != 2 || in.u8() != HARDWARE_ETHERNET || in.u8() != MAC_LENGTH) {
            throw new MalformedFrameException("DHCPv4: not a request or reply for an Ethernet client");
        }
        in.skip(1);
        final long transaction = in.u32();
        in.skip(2 + 2);
        final var used = in.ipv4();
        final var given = in.ipv4();
        in.skip(4 + 4);
        final MacAddress client = in.mac();
        in.skip(16 - MAC_LENGTH + 64 + 128);
        final boolean toServer = operation == 1;
        final var options = in.remaining() >= 4 && in.u32() == DHCP_COOKIE ? dhcpOptions(in)
            : new DhcpOptions(0, Optional.empty());
        final var lease = options.messageType() == (toServer ? DHCP_REQUEST : DHCP_ACK)
            ? Optional.of(toServer ? options.requested().orElse(used) : given) : Optional.<InetAddress>empty();
        return new Packet.Dhcp(ethernet, connection, toServer, options.messageType(), client,
            lease.filter(address -> !address.isAnyLocalAddress())
                .map(address -> new Packet.Lease(transaction, address)));
    }

    private static DhcpOptions dhcpOptions(final Cursor in) throws MalformedFrameException {
        int messageType = 0;
        var requested = Optional.<InetAddress>empty();
        while (in.remaining() > 0) {
            final int option = in.u8();
            if (option == OPTION_END) {
                break;
            }
            if (option != OPTION_PAD) {
                final int length = in.u8();
                if (option == OPTION_MESSAGE_TYPE && length == 1) {
                    messageType = in.u8();
                } else if (option == OPTION_REQUESTED_ADDRESS && length == 4) {
                    requested = Optional.of(in.ipv4());
                } else {
                    in.skip(length);
                }
            }
        }
        return new DhcpOptions(messageType, requested);
    }
}

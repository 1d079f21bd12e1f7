// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import io.sluice.api.Connection;
import io.sluice.api.Fragment;
import io.sluice.api.MacAddress;
import java.net.InetAddress;
import java.util.Optional;

/** What a frame carries, as far as the fabric cares. */
public sealed interface Packet {
    /**
     * ARP over Ethernet and IPv4 (RFC 826).
     *
     * @param request true for a request, false for a reply
     */
    record Arp(Ethernet ethernet, boolean request, MacAddress senderMac, InetAddress senderIp, InetAddress targetIp)
            implements Packet { }

    /**
     * "Who has {@code target}?" in IPv6 (RFC 4861, section 4.3).
     *
     * @param source unspecified when the sender checks whether an address is free (RFC 4862, section 5.4)
     */
    record NeighbourSolicitation(Ethernet ethernet, InetAddress source, InetAddress target) implements Packet { }

    /**
     * "{@code target} is here" in IPv6 (RFC 4861, section 4.4).
     *
     * @param destination the asker, or the group of all nodes
     * @param targetMac the target link-layer address option
     */
    record NeighbourAdvertisement(Ethernet ethernet, InetAddress destination, InetAddress target,
            Optional<MacAddress> targetMac, boolean solicited, boolean override) implements Packet { }

    /** "Which routers are there?" (RFC 4861, section 4.1). */
    record RouterSolicitation(Ethernet ethernet, InetAddress source) implements Packet { }

    /** A router's announcement (RFC 4861, section 4.2). */
    record RouterAdvertisement(Ethernet ethernet, InetAddress source) implements Packet { }

    /**
     * DHCP for IPv4 (RFC 2131) or IPv6 (RFC 8415).
     *
     * @param toServer true on the way from a client, or its relay, to a server
     * @param messageType option 53 (RFC 2132, section 9.6; 0 for plain BOOTP), or msg-type (RFC 8415, section 7.3)
     * @param client the client's address: chaddr, or for IPv6 the Ethernet source or destination
     * @param lease what a DHCPv4 REQUEST asks for, or an ACK gives to the client
     */
    record Dhcp(Ethernet ethernet, Connection connection, boolean toServer, int messageType, MacAddress client,
            Optional<Lease> lease) implements Packet { }

    /**
     * An address for a DHCPv4 client.
     *
     * @param transaction number that the client gave its request and the answer repeats (RFC 2131, section 2: xid)
     */
    record Lease(long transaction, InetAddress address) { }

    /**
     * Any other IP packet.
     *
     * @param connection with ports of 0 unless it is TCP or UDP, and in fragments other than the first
     * @param fragment empty for a whole packet, and for an IPv6 fragment that is one (RFC 6946)
     */
    record Ip(Ethernet ethernet, Connection connection, Optional<Fragment> fragment) implements Packet {
        /** A whole packet. */
        public Ip(final Ethernet ethernet, final Connection connection) {
            this(ethernet, connection, Optional.empty());
        }
    }

    /**
     * Neither ARP nor IP.
     *
     * @param etherType 0x600..0xffff, behind the VLAN tag if there is one; below that the length of an IEEE 802.3 frame
     */
    record Other(Ethernet ethernet, int etherType) implements Packet { }

    /** Not what its headers say; {@code reason} is for people. */
    record Malformed(String reason) implements Packet { }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Which packets a flow entry takes; an empty field takes all values. Fields have OpenFlow's prerequisites: addresses
 * and protocol need the Ethernet type of IPv4 or IPv6, ports need TCP or UDP.
 *
 * @param inPort number of the port of arrival on the switch that holds the entry
 * @param ethernetType 0..0xffff, behind the VLAN tag if there is one
 * @param vlan identifier of the VLAN tag, 1..4094, or {@link #TAGGED} for any tag, or {@link #UNTAGGED} for none
 * @param ethernetDestination exact or masked
 * @param ipProtocol 0..255
 * @param codePoint of differentiated services (RFC 2474), 0..{@link Action.SetCodePoint#MAX}
 * @param l4Source source port, 0..0xffff; 0 takes fragments, whose ports no entry sees ({@link Fragment#matched});
 *     OpenFlow 1.3 has no mask for ports (1.3.5, Section 7.2.3.7)
 * @param l4Destination destination port, likewise
 * @param question the question for an address that it is; in IPv6 it names the source, so that no other address may
 */
public record FlowMatch(OptionalLong inPort, OptionalInt ethernetType, OptionalInt vlan,
        Optional<MaskedMac> ethernetDestination, OptionalInt ipProtocol, OptionalInt codePoint,
        Optional<MaskedIp> source, Optional<MaskedIp> destination, OptionalInt l4Source, OptionalInt l4Destination,
        Optional<Question> question) {
    /** As a VLAN: no tag (OFPVID_NONE of OpenFlow 1.3.5, section 7.2.3.7). */
    public static final int UNTAGGED = 0;
    /** As a VLAN: any tag, a priority tag included (OFPVID_PRESENT of OpenFlow 1.3.5, section 7.2.3.7). */
    public static final int TAGGED = 0x1000;
    /** Largest identifier of a VLAN (IEEE 802.1Q, section 9.6). */
    public static final int MAX_VLAN = 4094;
    public static final int ETHERNET_ARP = 0x0806;
    public static final int ETHERNET_IPV4 = 0x0800;
    public static final int ETHERNET_IPV6 = 0x86dd;
    public static final int ETHERNET_LLDP = 0x88cc;
    public static final int PROTOCOL_ICMP = 1;
    public static final int PROTOCOL_TCP = 6;
    public static final int PROTOCOL_UDP = 17;
    /** Fragment header (RFC 8200, section 4.5); for Open vSwitch the protocol of IPv6 fragments but the first. */
    public static final int PROTOCOL_IPV6_FRAGMENT = 44;
    public static final int PROTOCOL_ICMPV6 = 58;

    /** Every packet. */
    public static final FlowMatch ANY = new Builder().build();

    /** An Ethernet address of which the bits of {@code mask} count. */
    public record MaskedMac(MacAddress address, MacAddress mask) {
        public MaskedMac {
            if ((address.value() & ~mask.value()) != 0) {
                throw new IllegalArgumentException(address + " has bits outside the mask " + mask);
            }
        }

        public static MaskedMac exact(final MacAddress address) {
            return new MaskedMac(address, MacAddress.BROADCAST);
        }

        @Override
        public String toString() {
            return mask.equals(MacAddress.BROADCAST) ? address.toString() : address + "/" + mask;
        }
    }

    /**
     * "Who has {@code target}? Tell {@code sender} at {@code senderMac}": an ARP request (RFC 826) between IPv4
     * addresses, a neighbour solicitation with the sender's Ethernet address (RFC 4861, section 4.3) between IPv6 ones.
     */
    public record Question(MacAddress senderMac, InetAddress sender, InetAddress target) {
        public Question {
            if (sender.getAddress().length != target.getAddress().length) {
                throw new IllegalArgumentException(sender + " can't ask for " + target);
            }
        }

        public boolean isIpv6() {
            return target instanceof Inet6Address;
        }

        /** The fields by the names of OpenFlow 1.3.5, section 7.2.3.7. */
        @Override
        public String toString() {
            return isIpv6()
                ? "icmpv6_type=135,ipv6_src=" + sender.getHostAddress() + ",ipv6_nd_sll=" + senderMac
                    + ",ipv6_nd_target=" + target.getHostAddress()
                : "arp_op=1,arp_sha=" + senderMac + ",arp_spa=" + sender.getHostAddress() + ",arp_tpa="
                    + target.getHostAddress();
        }
    }

    public FlowMatch {
        Objects.requireNonNull(inPort);
        final int tag = vlan.orElse(TAGGED);
        if (tag != TAGGED) {
            requireVlan(tag);
        }
        final boolean ip = source.isPresent() || destination.isPresent() || ipProtocol.isPresent()
            || codePoint.isPresent();
        final int type = ethernetType.orElse(-1);
        if (ip && type != ETHERNET_IPV4 && type != ETHERNET_IPV6) {
            throw new IllegalArgumentException("an IP field needs ethernetType IPv4 or IPv6");
        }
        final int protocol = ipProtocol.orElse(-1);
        if ((l4Source.isPresent() || l4Destination.isPresent()) && protocol != PROTOCOL_TCP
                && protocol != PROTOCOL_UDP) {
            throw new IllegalArgumentException("a port needs ipProtocol TCP or UDP");
        }
        question.ifPresent(asked -> {
            if (asked.isIpv6() ? protocol != PROTOCOL_ICMPV6 || source.isPresent() || destination.isPresent()
                    : type != ETHERNET_ARP) {
                throw new IllegalArgumentException("a question is ARP, or ICMPv6 with no other address");
            }
        });
    }

    /** Throws unless {@code vlan} is {@link #UNTAGGED} or the identifier of a VLAN. */
    static void requireVlan(final int vlan) {
        if (vlan < UNTAGGED || vlan > MAX_VLAN) {
            throw new IllegalArgumentException("VLAN " + vlan + " is not in 1.." + MAX_VLAN + ", or "
                + UNTAGGED + " for untagged");
        }
    }

    /** This match, whatever port packets come in by. */
    public FlowMatch atAnyPort() {
        return new FlowMatch(OptionalLong.empty(), ethernetType, vlan, ethernetDestination, ipProtocol, codePoint,
            source, destination, l4Source, l4Destination, question);
    }

    /** The fields that count, by the names of OpenFlow 1.3.5, section 7.2.3.7; {@code any} if none does. */
    @Override
    public String toString() {
        final var fields = new ArrayList<String>();
        inPort.ifPresent(number -> fields.add("in_port=" + number));
        ethernetType.ifPresent(type -> fields.add("eth_type=0x" + HexFormat.of().toHexDigits((short) type)));
        vlan.ifPresent(tag -> fields.add("vlan_vid=" + switch (tag) {
            case TAGGED -> "any";
            case UNTAGGED -> "none";
            default -> Integer.toString(tag);
        }));
        ethernetDestination.ifPresent(address -> fields.add("eth_dst=" + address));
        ipProtocol.ifPresent(protocol -> fields.add("ip_proto=" + protocol));
        codePoint.ifPresent(mark -> fields.add("ip_dscp=" + mark));
        source.ifPresent(addresses -> fields.add("ip_src=" + addresses));
        destination.ifPresent(addresses -> fields.add("ip_dst=" + addresses));
        l4Source.ifPresent(port -> fields.add("l4_src=" + port));
        l4Destination.ifPresent(port -> fields.add("l4_dst=" + port));
        question.ifPresent(asked -> fields.add(asked.toString()));
        return fields.isEmpty() ? "any" : String.join(",", fields);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects fields; the Ethernet type follows from the addresses. */
    public static final class Builder {
        private OptionalLong inPort = OptionalLong.empty();
        private OptionalInt ethernetType = OptionalInt.empty();
        private OptionalInt vlan = OptionalInt.empty();
        private Optional<MaskedMac> ethernetDestination = Optional.empty();
        private OptionalInt ipProtocol = OptionalInt.empty();
        private OptionalInt codePoint = OptionalInt.empty();
        private Optional<MaskedIp> source = Optional.empty();
        private Optional<MaskedIp> destination = Optional.empty();
        private OptionalInt l4Source = OptionalInt.empty();
        private OptionalInt l4Destination = OptionalInt.empty();
        private Optional<Question> question = Optional.empty();

        public Builder inPort(final long number) {
            inPort = OptionalLong.of(number);
            return this;
        }

        public Builder ethernetType(final int type) {
            ethernetType = OptionalInt.of(type);
            return this;
        }

        public Builder vlan(final int tag) {
            vlan = OptionalInt.of(tag);
            return this;
        }

        public Builder ethernetDestination(final MaskedMac address) {
            ethernetDestination = Optional.of(address);
            return this;
        }

        public Builder ipProtocol(final int protocol) {
            ipProtocol = OptionalInt.of(protocol);
            return this;
        }

        public Builder codePoint(final int mark) {
            codePoint = OptionalInt.of(mark);
            return this;
        }

        public Builder source(final MaskedIp addresses) {
            source = Optional.of(addresses);
            return ethernetType(addresses.isIpv6() ? ETHERNET_IPV6 : ETHERNET_IPV4);
        }

        public Builder destination(final MaskedIp addresses) {
            destination = Optional.of(addresses);
            return ethernetType(addresses.isIpv6() ? ETHERNET_IPV6 : ETHERNET_IPV4);
        }

        public Builder l4Source(final int port) {
            l4Source = OptionalInt.of(port);
            return this;
        }

        public Builder l4Destination(final int port) {
            l4Destination = OptionalInt.of(port);
            return this;
        }

        public Builder question(final Question asked) {
            question = Optional.of(asked);
            return asked.isIpv6() ? ethernetType(ETHERNET_IPV6).ipProtocol(PROTOCOL_ICMPV6)
                : ethernetType(ETHERNET_ARP);
        }

        public FlowMatch build() {
            return new FlowMatch(inPort, ethernetType, vlan, ethernetDestination, ipProtocol, codePoint, source,
                destination, l4Source, l4Destination, question);
        }
    }
}

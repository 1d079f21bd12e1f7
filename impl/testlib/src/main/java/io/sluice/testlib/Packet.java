// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Action;
import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.MaskedMac;
import io.sluice.api.FlowMatch.Question;
import io.sluice.api.Fragment;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The fields of a packet that a switch can look at.
 *
 * @param vlan identifier of its VLAN tag, {@link FlowMatch#UNTAGGED} if it has none
 * @param ethernetType 0..0xffff
 * @param connection addresses, protocol and ports; empty if the packet isn't IP
 * @param question the question for an address that it is
 * @param answer the ARP reply that it is
 * @param codePoint of differentiated services, 0 if the packet isn't IP
 * @param fragment the part of an IP packet that it is; empty for a whole one
 */
public record Packet(int vlan, MacAddress ethernetSource, MacAddress ethernetDestination, int ethernetType,
        Optional<Connection> connection, Optional<Question> question, Optional<Action.AnswerArp> answer,
        int codePoint, Optional<Fragment> fragment) {
    /** Length of a packet of which no other is said, octets of layer 2. */
    public static final int LENGTH_BYTES = 100;

    public Packet {
        final int ipType = connection.map(Connection::source).map(Packet::ethernetTypeOf).orElse(ethernetType);
        if (ipType != ethernetType) {
            throw new IllegalArgumentException("Ethernet type " + ethernetType + " doesn't fit " + connection);
        }
        if (connection.map(Connection::vlan).orElse(vlan) != vlan) {
            throw new IllegalArgumentException("VLAN " + vlan + " doesn't fit " + connection);
        }
    }

    /** A packet that asks and answers nothing. */
    public Packet(final MacAddress ethernetSource, final MacAddress ethernetDestination, final int ethernetType,
            final Optional<Connection> connection) {
        this(ethernetSource, ethernetDestination, ethernetType, connection, Optional.empty());
    }

    private Packet(final MacAddress ethernetSource, final MacAddress ethernetDestination, final int ethernetType,
            final Optional<Connection> connection, final Optional<Question> question) {
        this(connection.map(Connection::vlan).orElse(FlowMatch.UNTAGGED), ethernetSource, ethernetDestination,
            ethernetType, connection, question, Optional.empty(), 0, Optional.empty());
    }

    /** An ARP request to all. */
    public static Packet of(final Question question) {
        return new Packet(question.senderMac(), MacAddress.BROADCAST, FlowMatch.ETHERNET_ARP, Optional.empty(),
            Optional.of(question));
    }

    /** A neighbour solicitation to {@code destination} at {@code to}. */
    public static Packet of(final Question question, final MacAddress to, final InetAddress destination) {
        return new Packet(question.senderMac(), to, FlowMatch.ETHERNET_IPV6, Optional.of(
            new Connection(FlowMatch.PROTOCOL_ICMPV6, question.sender(), destination, 0, 0)), Optional.of(question));
    }

    /** A packet of {@code connection} between two Ethernet addresses. */
    public static Packet of(final MacAddress from, final MacAddress to, final Connection connection) {
        return new Packet(from, to, ethernetTypeOf(connection.source()), Optional.of(connection));
    }

    /** A packet of {@code connection} as {@code from} sends it to {@code to}. */
    public static Packet of(final Host from, final Host to, final Connection connection) {
        return of(from.mac(), to.mac(), connection);
    }

    /** This packet with a VLAN tag. */
    public Packet in(final int tag) {
        return new Packet(tag, ethernetSource, ethernetDestination, ethernetType,
            connection.map(seen -> seen.in(tag)), question, answer, codePoint, fragment);
    }

    /** A fragment of this packet; {@link #connection} goes on naming the ports that the whole packet has. */
    public Packet cut(final Fragment part) {
        return new Packet(vlan, ethernetSource, ethernetDestination, ethernetType, connection, question, answer,
            codePoint, Optional.of(part));
    }

    /**
     * True if an entry with {@code match} takes this packet when it comes in by {@code inPort}. Of a fragment the entry
     * sees what {@link Fragment#matched} says.
     */
    public boolean fits(final FlowMatch match, final long inPort) {
        return (match.inPort().isEmpty() || match.inPort().getAsLong() == inPort)
            && fits(match.ethernetType(), ethernetType)
            && (fits(match.vlan(), vlan) || vlan != FlowMatch.UNTAGGED && fits(match.vlan(), FlowMatch.TAGGED))
            && (match.question().isEmpty() || match.question().equals(question))
            && match.ethernetDestination().stream().allMatch(this::isSentTo)
            && (match.codePoint().isEmpty() || connection.isPresent() && fits(match.codePoint(), codePoint))
            && (!looksAtIp(match) || matched().stream().anyMatch(seen -> fits(match, seen)));
    }

    /** This packet after {@code action}, which must be one that sets a field. */
    Packet after(final Action action) {
        return switch (action) {
            case Action.SetEthernetSource(var address) ->
                new Packet(vlan, address, ethernetDestination, ethernetType, connection, question, answer, codePoint,
                    fragment);
            case Action.SetEthernetDestination(var address) ->
                new Packet(vlan, ethernetSource, address, ethernetType, connection, question, answer, codePoint,
                    fragment);
            case Action.SetIpSource(var address) -> between(address, connection.orElseThrow().destination());
            case Action.SetIpDestination(var address) -> between(connection.orElseThrow().source(), address);
            case Action.SetCodePoint mark -> new Packet(vlan, ethernetSource, ethernetDestination, ethernetType,
                connection, question, answer, mark.codePoint(), fragment);
            case Action.AskBack(var asked) -> new Packet(ethernetSource, ethernetDestination, ethernetType,
                Optional.of(new Connection(vlan, FlowMatch.PROTOCOL_ICMPV6, asked.sender(), asked.target(), 0, 0)),
                Optional.of(asked));
            case Action.Output ignored -> throw new IllegalArgumentException(action.toString());
            case Action.OutputToIngress ignored -> throw new IllegalArgumentException(action.toString());
            case Action.OutputToController ignored -> throw new IllegalArgumentException(action.toString());
            case Action.AnswerArp said -> new Packet(vlan, ethernetSource, ethernetDestination, ethernetType,
                connection, Optional.empty(), Optional.of(said), 0, Optional.empty());
            case Action.SetQueue ignored -> this;
            case Action.ToGroup ignored -> throw new IllegalArgumentException(action.toString());
        };
    }

    static int ethernetTypeOf(final InetAddress address) {
        return address instanceof Inet6Address ? FlowMatch.ETHERNET_IPV6 : FlowMatch.ETHERNET_IPV4;
    }

    private Optional<Connection> matched() {
        return connection.map(whole -> fragment.map(part -> part.matched(whole)).orElse(whole));
    }

    /**
     * Gives the packet other addresses. Open vSwitch 3.1 to 3.7 adjusts a transport checksum in its own datapath where
     * a later IPv4 fragment has none, and so changes its data (lib/packets.c, packet_set_ipv4_addr).
     */
    private Packet between(final InetAddress source, final InetAddress destination) {
        final var old = connection.orElseThrow();
        if (old.hasPorts() && ethernetType == FlowMatch.ETHERNET_IPV4 && fragment.stream().anyMatch(part ->
                !part.first())) {
            throw new IllegalStateException("Open vSwitch would change the data of " + this);
        }
        return new Packet(vlan, ethernetSource, ethernetDestination, ethernetTypeOf(source), Optional.of(
            new Connection(vlan, old.protocol(), source, destination, old.sourcePort(), old.destinationPort())),
            question, Optional.empty(), codePoint, fragment);
    }

    private boolean isSentTo(final MaskedMac wanted) {
        return (ethernetDestination.value() & wanted.mask().value()) == wanted.address().value();
    }

    private static boolean looksAtIp(final FlowMatch match) {
        return match.ipProtocol().isPresent() || match.source().isPresent() || match.destination().isPresent();
    }

    private static boolean fits(final FlowMatch match, final Connection connection) {
        return fits(match.ipProtocol(), connection.protocol())
            && match.source().stream().allMatch(addresses -> addresses.contains(connection.source()))
            && match.destination().stream().allMatch(addresses -> addresses.contains(connection.destination()))
            && fits(match.l4Source(), connection.sourcePort())
            && fits(match.l4Destination(), connection.destinationPort());
    }

    private static boolean fits(final OptionalInt wanted, final int value) {
        return wanted.isEmpty() || wanted.getAsInt() == value;
    }
}

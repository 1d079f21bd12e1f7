// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import static io.sluice.api.FlowMatch.PROTOCOL_TCP;
import static io.sluice.api.FlowMatch.PROTOCOL_UDP;
import static io.sluice.api.Pipeline.CLASSIFY;
import static io.sluice.api.Pipeline.DELIVER;
import static io.sluice.api.Pipeline.METER;
import static io.sluice.api.Pipeline.PRIORITY_CONNECTION;
import static io.sluice.api.Pipeline.PRIORITY_CONTROL;
import static io.sluice.api.Pipeline.STEER;
import static io.sluice.southbound.qualify.ScratchFlows.SERVER;
import static io.sluice.southbound.qualify.ScratchFlows.SOURCE;
import static io.sluice.southbound.qualify.ScratchFlows.client;
import static io.sluice.southbound.qualify.ScratchFlows.header;
import static io.sluice.southbound.qualify.ScratchFlows.mac;

import com.google.common.net.InetAddresses;
import io.sluice.api.Action;
import io.sluice.api.Connection;
import io.sluice.api.Entry.Flow;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.MaskedMac;
import io.sluice.api.FlowMatch.Question;
import io.sluice.api.MacAddress;
import io.sluice.api.MaskedIp;
import io.sluice.southbound.packet.Ethernet;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet;
import io.sluice.southbound.qualify.Experiment.Trial;
import java.net.InetAddress;
import java.util.List;

/**
 * The forms of flow entries that Sluice uses. An entry marks what it takes with a destination address of its own, and
 * where an entry must leave a packet alone, one of lower priority takes it.
 */
final class Experiments {
    private static final MacAddress BY_FIRST = mac(11);
    private static final MacAddress BY_SECOND = mac(12);
    private static final MacAddress BY_THIRD = mac(13);
    private static final MacAddress BY_FOURTH = mac(14);
    /** One of those that begin alike, and one that begins otherwise. */
    private static final MacAddress LABELLED = mac(1);
    private static final MacAddress NOT_LABELLED = new MacAddress(0x5250L << 32 | 1);

    /** 2001:2::/48 is for benchmarks (RFC 5180, section 8). */
    private static final InetAddress CLIENT_IPV6 = InetAddresses.forString("2001:2::1");
    private static final InetAddress SERVER_IPV6 = InetAddresses.forString("2001:2::2");
    private static final int CLIENT_PORT = 49152;
    private static final int SERVER_PORT = 80;
    /** Expedited forwarding (RFC 3246). */
    private static final int CODE_POINT = 46;

    /**
     * Clients of one of 64 slots, and of those the ones in a prefix.
     *
     * @param inPrefix a client in both
     * @param inSlot a client of the slot, but not in the prefix
     * @param other a client of another slot, in the prefix
     */
    private record Slot(MaskedIp clients, int prefix, InetAddress inPrefix, InetAddress inSlot, InetAddress other,
            InetAddress server) { }

    private Experiments() {
        // functions only
    }

    /** All addresses of a kind on to the next table, and one of them there. */
    static Experiment label() {
        final var all = new MaskedMac(mac(0), new MacAddress(0xffffL << 32));
        return new Experiment(List.of(
            new Flow(CLASSIFY, PRIORITY_CONNECTION, to(all), List.of()).goingOnTo(STEER),
            new Flow(STEER, PRIORITY_CONNECTION, to(MaskedMac.exact(LABELLED)), List.of()).goingOnTo(DELIVER),
            marking(DELIVER, PRIORITY_CONNECTION, to(MaskedMac.exact(LABELLED)), BY_FIRST),
            marking(CLASSIFY, PRIORITY_CONNECTION - 1, to(MaskedMac.exact(NOT_LABELLED)), BY_SECOND)),
            List.of(Trial.marked(LABELLED, BY_FIRST), Trial.marked(NOT_LABELLED, BY_SECOND)));
    }

    static Experiment ipv4Connections() {
        return connections(client(0), SERVER);
    }

    static Experiment ipv6Connections() {
        return connections(CLIENT_IPV6, SERVER_IPV6);
    }

    static Experiment ipv4Slot() {
        return slot(new Slot(MaskedIp.of(client(1), InetAddresses.forString("0.0.0.63")), 23, client(65), client(513),
            client(2), SERVER));
    }

    static Experiment ipv6Slot() {
        return slot(new Slot(MaskedIp.of(CLIENT_IPV6, InetAddresses.forString("::3f")), 64,
            InetAddresses.forString("2001:2::41"), InetAddresses.forString("2001:2:0:1::1"),
            InetAddresses.forString("2001:2::3"), SERVER_IPV6));
    }

    static Experiment setEthernet() {
        final var connection = connection(PROTOCOL_UDP, client(0), SERVER);
        return setting(connection, new Action.SetEthernetSource(mac(1)), new Action.SetEthernetDestination(mac(2)),
            new Packet.Ip(new Ethernet(mac(2), mac(1), Ethernet.UNTAGGED), connection));
    }

    static Experiment setIpv4() {
        return settingIp(client(0), SERVER, client(1));
    }

    static Experiment setIpv6() {
        return settingIp(CLIENT_IPV6, SERVER_IPV6, InetAddresses.forString("2001:2::3"));
    }

    static Experiment codePointIpv4() {
        return codePoint(client(0), SERVER);
    }

    static Experiment codePointIpv6() {
        return codePoint(CLIENT_IPV6, SERVER_IPV6);
    }

    /** The request of one host becomes the answer of another. */
    static Experiment answerArp() {
        final List<Action> actions = List.of(new Action.SetEthernetSource(mac(2)),
            new Action.SetEthernetDestination(mac(1)), new Action.AnswerArp(mac(2), SERVER, mac(1), client(0)),
            new Action.OutputToController());
        return new Experiment(List.of(asked(new Question(mac(1), client(0), SERVER), actions)),
            List.of(new Trial(Frames.arpRequest(mac(1), client(0), SERVER),
                new Packet.Arp(new Ethernet(mac(1), mac(2), Ethernet.UNTAGGED), false, mac(2), SERVER, client(0)))));
    }

    /** The question of one host comes to the controller, and becomes the question of another. */
    static Experiment askBack() {
        final var question = new Question(mac(1), CLIENT_IPV6, SERVER_IPV6);
        final var frame = Frames.neighbourSolicitation(mac(1), CLIENT_IPV6, SERVER_IPV6);
        final List<Action> actions = List.of(new Action.OutputToController(), new Action.SetEthernetSource(mac(2)),
            new Action.SetEthernetDestination(mac(1)),
            new Action.AskBack(new Question(mac(2), SERVER_IPV6, CLIENT_IPV6)), new Action.OutputToController());
        return new Experiment(List.of(asked(question, actions)), List.of(new Trial(frame, List.of(Frames.parse(frame),
            new Packet.NeighbourSolicitation(new Ethernet(mac(1), mac(2), Ethernet.UNTAGGED), SERVER_IPV6,
                CLIENT_IPV6)))));
    }

    private static Experiment connections(final InetAddress from, final InetAddress to) {
        final var tcp = connection(PROTOCOL_TCP, from, to);
        final var udp = connection(PROTOCOL_UDP, from, to);
        final var otherPort = new Connection(PROTOCOL_TCP, from, to, CLIENT_PORT + 1, SERVER_PORT);
        return new Experiment(List.of(
            marking(CLASSIFY, PRIORITY_CONNECTION, tcp.match(), BY_FIRST),
            marking(CLASSIFY, PRIORITY_CONNECTION, udp.match(), BY_SECOND),
            marking(CLASSIFY, PRIORITY_CONNECTION - 1, between(MaskedIp.host(from), MaskedIp.host(to)), BY_THIRD)),
            List.of(taken(tcp, BY_FIRST), taken(udp, BY_SECOND), taken(otherPort, BY_THIRD)));
    }

    /** To a server from a slot of clients, and back to those of them that are in a prefix. */
    private static Experiment slot(final Slot slot) {
        final var server = MaskedIp.host(slot.server());
        return new Experiment(List.of(
            marking(CLASSIFY, PRIORITY_CONNECTION, between(slot.clients(), server), BY_FIRST),
            marking(CLASSIFY, PRIORITY_CONNECTION,
                between(server, slot.clients().narrowedTo(slot.inPrefix(), slot.prefix())), BY_SECOND),
            marking(CLASSIFY, PRIORITY_CONNECTION - 1, FlowMatch.builder().destination(server).build(), BY_THIRD),
            marking(CLASSIFY, PRIORITY_CONNECTION - 1, FlowMatch.builder().source(server).build(), BY_FOURTH)),
            List.of(taken(connection(PROTOCOL_TCP, slot.inSlot(), slot.server()), BY_FIRST),
                taken(connection(PROTOCOL_TCP, slot.other(), slot.server()), BY_THIRD),
                taken(connection(PROTOCOL_TCP, slot.server(), slot.inPrefix()), BY_SECOND),
                taken(connection(PROTOCOL_TCP, slot.server(), slot.inSlot()), BY_FOURTH),
                taken(connection(PROTOCOL_TCP, slot.server(), slot.other()), BY_FOURTH)));
    }

    /** A connection gets a code point in the first table, and is told by it in the next; another one gets none. */
    private static Experiment codePoint(final InetAddress from, final InetAddress to) {
        final var marked = connection(PROTOCOL_UDP, from, to);
        final var unmarked = connection(PROTOCOL_TCP, from, to);
        return new Experiment(List.of(
            new Flow(METER, PRIORITY_CONNECTION, marked.match(), List.of(new Action.SetCodePoint(CODE_POINT)))
                .goingOnTo(CLASSIFY),
            marking(CLASSIFY, PRIORITY_CONNECTION,
                FlowMatch.builder().destination(MaskedIp.host(to)).codePoint(CODE_POINT).build(), BY_FIRST),
            marking(CLASSIFY, PRIORITY_CONNECTION - 1,
                FlowMatch.builder().destination(MaskedIp.host(to)).build(), BY_SECOND)),
            List.of(taken(marked, BY_FIRST), taken(unmarked, BY_SECOND)));
    }

    private static Experiment settingIp(final InetAddress from, final InetAddress newFrom, final InetAddress newTo) {
        final var connection = connection(PROTOCOL_UDP, from, newFrom);
        return setting(connection, new Action.SetIpSource(newFrom), new Action.SetIpDestination(newTo),
            new Packet.Ip(header(mac(1)), connection(PROTOCOL_UDP, newFrom, newTo)));
    }

    private static Experiment setting(final Connection connection, final Action first, final Action second,
            final Packet expected) {
        return new Experiment(List.of(new Flow(CLASSIFY, PRIORITY_CONNECTION, connection.match(),
            List.of(first, second, new Action.OutputToController()))), List.of(new Trial(frame(connection), expected)));
    }

    private static Flow asked(final Question question, final List<Action> actions) {
        return new Flow(CLASSIFY, PRIORITY_CONTROL + 1, FlowMatch.builder().question(question).build(), actions);
    }

    private static Flow marking(final int table, final int priority, final FlowMatch match, final MacAddress mark) {
        return new Flow(table, priority, match,
            List.of(new Action.SetEthernetDestination(mark), new Action.OutputToController()));
    }

    private static FlowMatch to(final MaskedMac destination) {
        return FlowMatch.builder().ethernetDestination(destination).build();
    }

    private static FlowMatch between(final MaskedIp source, final MaskedIp destination) {
        return FlowMatch.builder().source(source).destination(destination).ipProtocol(PROTOCOL_TCP).build();
    }

    private static Connection connection(final int protocol, final InetAddress from, final InetAddress to) {
        return new Connection(protocol, from, to, CLIENT_PORT, SERVER_PORT);
    }

    private static Trial taken(final Connection connection, final MacAddress mark) {
        return new Trial(frame(connection), new Packet.Ip(header(mark), connection));
    }

    private static byte[] frame(final Connection connection) {
        return Frames.ip(SOURCE, mac(1), connection);
    }
}

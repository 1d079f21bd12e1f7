// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import static io.sluice.api.Pipeline.CLASSIFY;
import static io.sluice.api.Pipeline.DELIVER;
import static io.sluice.api.Pipeline.METER;
import static io.sluice.api.Pipeline.PRIORITY_CONNECTION;
import static io.sluice.api.Pipeline.PRIORITY_CONTROL;
import static io.sluice.api.Pipeline.STEER;

import com.google.common.net.InetAddresses;
import io.sluice.api.Action;
import io.sluice.api.Entry.Flow;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.MaskedMac;
import io.sluice.api.FlowMatch.Question;
import io.sluice.api.MacAddress;
import io.sluice.api.MaskedIp;
import java.net.InetAddress;
import java.util.List;

/** Flow entries in the tables and of the forms that Sluice uses, with matches that no traffic has. */
final class ScratchFlows {
    /** 198.18.0.0/15 is for benchmarks (RFC 2544, appendix C.2.2). */
    private static final int CLIENTS = 198 << 24 | 18 << 16;
    private static final InetAddress SERVER = InetAddresses.forString("198.19.0.1");
    /** 2001:2::/48 is for benchmarks (RFC 5180, section 8). */
    private static final InetAddress CLIENT_IPV6 = InetAddresses.forString("2001:2::1");
    private static final InetAddress SERVER_IPV6 = InetAddresses.forString("2001:2::2");
    /** Locally administered addresses that are no labels. */
    private static final long MACS = 0x5251L << 32;
    private static final int CLIENT_PORT = 49152;
    /** Those that name one of 64 slots. */
    private static final InetAddress SLOT_BITS = InetAddresses.forString("0.0.0.63");
    private static final InetAddress SLOT_BITS_IPV6 = InetAddresses.forString("::3f");
    private static final int SLOT_PREFIX = 23;

    private ScratchFlows() {
        // functions only
    }

    static MacAddress mac(final int number) {
        return new MacAddress(MACS | number);
    }

    /** One of 65536 entries that drop; no two take the same packet. */
    static Flow dropping(final int number) {
        return new Flow(CLASSIFY, PRIORITY_CONNECTION, fromClient(number), List.of());
    }

    /** The place of {@link #dropping} with other actions. */
    static Flow reflecting(final int number) {
        return new Flow(CLASSIFY, PRIORITY_CONNECTION, fromClient(number), List.of(new Action.OutputToIngress()));
    }

    /** All addresses of a kind on to the next table, and one of them there. */
    static List<Flow> label() {
        final var all = new MaskedMac(new MacAddress(MACS), new MacAddress(0xffffL << 32));
        return List.of(
            new Flow(CLASSIFY, PRIORITY_CONNECTION, FlowMatch.builder().ethernetDestination(all).build(), List.of())
                .goingOnTo(STEER),
            new Flow(STEER, PRIORITY_CONNECTION, FlowMatch.builder()
                .ethernetDestination(MaskedMac.exact(mac(1))).build(), List.of()).goingOnTo(DELIVER));
    }

    static List<Flow> ipv4Connections() {
        return connections(client(0), SERVER);
    }

    static List<Flow> ipv6Connections() {
        return connections(CLIENT_IPV6, SERVER_IPV6);
    }

    static List<Flow> ipv4Slot() {
        return slot(client(1), SLOT_BITS, SERVER);
    }

    static List<Flow> ipv6Slot() {
        return slot(CLIENT_IPV6, SLOT_BITS_IPV6, SERVER_IPV6);
    }

    static List<Flow> setEthernet() {
        return List.of(setting(client(0), new Action.SetEthernetSource(mac(1)),
            new Action.SetEthernetDestination(mac(2))));
    }

    static List<Flow> setIpv4() {
        return List.of(setting(client(0), new Action.SetIpSource(SERVER), new Action.SetIpDestination(client(1))));
    }

    static List<Flow> setIpv6() {
        return List.of(setting(CLIENT_IPV6, new Action.SetIpSource(SERVER_IPV6),
            new Action.SetIpDestination(CLIENT_IPV6)));
    }

    static List<Flow> answerArp() {
        return List.of(new Flow(CLASSIFY, PRIORITY_CONTROL + 1, FlowMatch.builder()
            .question(new Question(mac(1), client(0), SERVER)).build(), List.of(new Action.SetEthernetSource(mac(2)),
                new Action.SetEthernetDestination(mac(1)), new Action.AnswerArp(mac(2), SERVER, mac(1), client(0)),
                new Action.OutputToIngress())));
    }

    static List<Flow> askBack() {
        return List.of(new Flow(CLASSIFY, PRIORITY_CONTROL + 1, FlowMatch.builder()
            .question(new Question(mac(1), CLIENT_IPV6, SERVER_IPV6)).build(), List.of(
                new Action.OutputToController(), new Action.SetEthernetSource(mac(2)),
                new Action.SetEthernetDestination(mac(1)),
                new Action.AskBack(new Question(mac(2), SERVER_IPV6, CLIENT_IPV6)), new Action.OutputToIngress())));
    }

    /** Treats probes to {@code destination} so, before all else. */
    static Flow probe(final MacAddress destination, final Action action) {
        return new Flow(METER, PRIORITY_CONTROL + 1, FlowMatch.builder().ethernetType(ProbeWire.ETHERNET_TYPE)
            .ethernetDestination(MaskedMac.exact(destination)).build(), List.of(action));
    }

    private static FlowMatch fromClient(final int number) {
        return FlowMatch.builder().source(MaskedIp.host(client(number))).destination(MaskedIp.host(SERVER)).build();
    }

    private static Flow setting(final InetAddress from, final Action first, final Action second) {
        return new Flow(CLASSIFY, PRIORITY_CONNECTION, FlowMatch.builder().source(MaskedIp.host(from)).build(),
            List.of(first, second, new Action.OutputToIngress()));
    }

    private static List<Flow> connections(final InetAddress from, final InetAddress to) {
        return List.of(connection(from, to, FlowMatch.PROTOCOL_TCP), connection(from, to, FlowMatch.PROTOCOL_UDP));
    }

    /** To a server from one of the slots of clients, and back to those of them that are in a prefix. */
    private static List<Flow> slot(final InetAddress client, final InetAddress bits, final InetAddress server) {
        final var clients = MaskedIp.of(client, bits);
        return List.of(slot(clients, MaskedIp.host(server)),
            slot(MaskedIp.host(server), clients.narrowedTo(client, SLOT_PREFIX)));
    }

    private static Flow slot(final MaskedIp source, final MaskedIp destination) {
        return new Flow(CLASSIFY, PRIORITY_CONNECTION, FlowMatch.builder().source(source).destination(destination)
            .ipProtocol(FlowMatch.PROTOCOL_TCP).build(), List.of());
    }

    private static Flow connection(final InetAddress from, final InetAddress to, final int protocol) {
        return new Flow(CLASSIFY, PRIORITY_CONNECTION, FlowMatch.builder().source(MaskedIp.host(from))
            .destination(MaskedIp.host(to)).ipProtocol(protocol).l4Source(CLIENT_PORT).l4Destination(80).build(),
            List.of());
    }

    private static InetAddress client(final int number) {
        return InetAddresses.fromInteger(CLIENTS + number);
    }
}

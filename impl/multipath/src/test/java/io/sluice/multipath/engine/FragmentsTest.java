// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static io.sluice.multipath.engine.FragmentBed.FRAGMENTS;
import static io.sluice.multipath.engine.FragmentBed.PORT;
import static io.sluice.multipath.engine.FragmentBed.VIRTUAL;
import static io.sluice.multipath.engine.FragmentBed.only;
import static io.sluice.multipath.engine.FragmentBed.udp;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.multipath.engine.FlowCounts.Counted;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.testlib.Addresses;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FragmentsTest {
    private final FragmentBed net = new FragmentBed();
    private final EngineBed bed = net.bed;
    private final Host client = net.clients.getFirst();

    @ParameterizedTest
    @CsvSource({"false, 0 1 2", "true, 0 1 2", "false, 2 1 0", "true, 1 0 2"})
    void theFirstDatagramReachesOneServerWholeInWhateverOrder(final boolean ipv6, final String order) {
        final var asking = net.asking(client, ipv6, 1000);
        final var server = only(net.datagram(client, asking,
            List.of(order.split(" ")).stream().map(Integer::valueOf).toList()), asking.source());
        assertTrue(net.servers.contains(server));
        assertEquals(List.of(new FragmentBed.Got(server, asking.source())), net.whole(client, asking));
        assertEquals(server, only(net.datagram(client, asking), asking.source()));
        assertEquals(Set.of(FlowKey.of(asking)), keys());
        assertEquals(2L * FRAGMENTS, bed.counts.totals().get(Counted.FRAGMENTS_RELAYED));
        assertNull(bed.counts.totals().get(Counted.FRAGMENTS_DROPPED));
    }

    /** A server gives a datagram up whose first fragment comes long after the others. */
    @Test
    void aFirstFragmentDoesNotWaitForItsEntries() {
        final var asking = net.asking(client, false, 1000);
        bed.programmer.silence(client.attachment().switchId());
        final var server = only(net.datagram(client, asking), asking.source());
        assertEquals(1, bed.engine.flows().size());
        assertTrue(bed.engine.flows().iterator().next().pending().isPresent());
        assertTrue(net.servers.contains(server));
    }

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void connectionsOfOneClientAtDifferentServersAreToldApart(final boolean ipv6) {
        final var placed = new HashMap<Connection, Host>();
        for (int port = 1; port <= 20; port++) {
            final var asking = net.asking(client, ipv6, port);
            placed.put(asking, net.whole(client, asking).getFirst().host());
        }
        assertEquals(Set.copyOf(net.servers), Set.copyOf(placed.values()));
        placed.forEach((asking, server) -> {
            assertEquals(server, only(net.datagram(client, asking), asking.source()));
            final var reply = udp(address(server, ipv6), asking.source(), PORT);
            final var back = new Connection(reply.protocol(), reply.source(), reply.destination(), PORT,
                asking.sourcePort());
            assertEquals(client, only(net.datagram(server, back), asking.destination()));
        });
        assertEquals(placed.size(), bed.engine.flows().size());
    }

    @Test
    void aLaterFragmentWithoutItsFirstIsDroppedAndCounted() {
        final var asking = net.asking(client, false, 1000);
        assertEquals(List.of(List.of(), List.of()), net.datagram(client, asking, List.of(1, 2)));
        assertNull(bed.counts.totals().get(Counted.FRAGMENTS_DROPPED));
        bed.clock.advance(Duration.ofSeconds(2));
        bed.await(bed.engine.review(false));
        assertEquals(2, bed.counts.totals().get(Counted.FRAGMENTS_DROPPED));
        assertEquals(List.of(), List.copyOf(bed.engine.flows()));
        assertEquals(List.of(), bed.refused, "no error answers it (RFC 1122, section 3.2.2)");
    }

    @Test
    void aRefusedDatagramIsAnsweredAndCounted() {
        bed.engine.configure(net.config(OptionalInt.empty(), 0, 0, 0));
        net.datagram(client, net.asking(client, false, 1000));
        assertEquals(FRAGMENTS, bed.refused.size());
        assertTrue(bed.refused.getFirst().fragment().orElseThrow().first());
        assertEquals(Map.of(Counted.REFUSED, 1L, Counted.DROPPED, 3L), bed.counts.totals());
    }

    @Test
    void fragmentsOfAClientWithASlotGoWhereTheSlotGoes() {
        bed.engine.configure(net.config(OptionalInt.of(4), 1, 1, 0));
        for (var each : net.clients) {
            final var asking = net.asking(each, false, 1000);
            final var server = net.whole(each, asking).getFirst().host();
            assertEquals(server, only(net.datagram(each, asking), asking.source()));
            final var back = new Connection(FlowMatch.PROTOCOL_UDP, Addresses.ipv4(server), asking.source(), PORT,
                1000);
            assertEquals(each, only(net.datagram(server, back), VIRTUAL));
        }
        bed.engine.configure(net.config(OptionalInt.of(4), 0, 0, 1));
        for (int review = 0; review < 2; review++) {
            bed.clock.advance(Duration.ofSeconds(61));
            bed.await(bed.engine.review(false));
        }
        bed.run();
        for (var each : net.clients) {
            final var asking = net.asking(each, false, 1000);
            assertEquals(net.servers.get(2), only(net.datagram(each, asking), asking.source()));
        }
    }

    /** Its connections stay for the drain time-out. */
    @Test
    void aServerThatIsRemovedAnswersItsConnectionsAsTheVirtualAddress() {
        final var asking = net.asking(client, false, 1000);
        final var server = net.whole(client, asking).getFirst().host();
        final var others = net.config(OptionalInt.empty(), 1, 1, 1).services().get("v4").servers().stream()
            .filter(other -> !server.addresses().contains(other.address())).toList();
        final var service = net.config(OptionalInt.empty(), 1, 1, 1).services().get("v4");
        bed.engine.configure(FragmentBed.of(List.of(FragmentBed.with(service, others))));
        final var back = new Connection(FlowMatch.PROTOCOL_UDP, Addresses.ipv4(server), asking.source(), PORT, 1000);
        assertEquals(client, only(net.datagram(server, back, List.of(1, 0, 2)), VIRTUAL));
        assertEquals(server, only(net.datagram(client, asking), asking.source()));
    }

    @Test
    void aConnectionThatSendsFragmentsAloneStaysAtItsServer() {
        final var asking = net.asking(client, false, 1000);
        final var server = only(net.datagram(client, asking), asking.source());
        for (int round = 0; round < 5; round++) {
            bed.clock.advance(Duration.ofSeconds(50));
            assertEquals(server, only(net.datagram(client, asking), asking.source()));
            bed.await(bed.engine.review(false));
        }
        assertEquals(1, bed.engine.flows().size());
        bed.clock.advance(Duration.ofSeconds(61));
        bed.await(bed.engine.review(false));
        assertEquals(List.of(), List.copyOf(bed.engine.flows()));
    }

    @Test
    void aServersOwnAddressStaysWhatTheClientSees() {
        final var server = net.servers.getFirst();
        final var direct = udp(Addresses.ipv4(client), Addresses.ipv4(server), 1000);
        assertEquals(server, only(net.datagram(client, direct), direct.source()));
        assertEquals(client, only(net.datagram(server, direct.reversed()), direct.destination()));
    }

    /** An entry takes first fragments of a protocol without ports, and later ones too in IPv4. */
    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void aLongPingReachesAServersOwnAddress(final boolean ipv6) {
        final var server = net.servers.getFirst();
        final var ping = new Connection(ipv6 ? FlowMatch.PROTOCOL_ICMPV6 : FlowMatch.PROTOCOL_ICMP,
            address(client, ipv6), address(server, ipv6), 0, 0);
        assertEquals(server, only(net.datagram(client, ping), ping.source()));
        assertEquals(client, only(net.datagram(server, ping.reversed()), ping.destination()));
    }

    @ParameterizedTest
    @CsvSource({"false, 1", "true, 2"})
    void betweenOtherHostsFragmentsAreFlowsOfTheirOwn(final boolean ipv6, final int flows) {
        final var other = net.clients.get(3);
        final var plain = udp(address(client, ipv6), address(other, ipv6), 1000);
        assertEquals(other, only(net.datagram(client, plain), plain.source()));
        final long before = bed.changes();
        assertEquals(other, only(net.datagram(client, udp(address(client, ipv6), address(other, ipv6), 2000)),
            plain.source()));
        assertEquals(client, only(net.datagram(other, plain.reversed()), plain.destination()));
        assertEquals(before, bed.changes(), "entries take the fragments of all connections between the two");
        assertEquals(flows, bed.engine.flows().size());
        assertTrue(bed.engine.flows().stream().allMatch(flow -> flow.record().key().isOfFragments()));
        assertNull(bed.counts.totals().get(Counted.FRAGMENTS_RELAYED));

        assertEquals(List.of(new FragmentBed.Got(other, plain.source())), net.whole(client, plain));
        assertEquals(flows + 1, bed.engine.flows().size(), "whole packets are another flow");
    }

    @Test
    void flowsOfFragmentsOutliveARestart() {
        final var other = net.clients.get(3);
        final var plain = udp(Addresses.ipv4(client), Addresses.ipv4(other), 1000);
        net.datagram(client, plain);
        bed.start(net.config(OptionalInt.empty(), 1, 1, 1));
        assertEquals(Set.of(fragments(client, other)), keys());
        assertEquals(other, only(net.datagram(client, plain), plain.source()));
    }

    @Test
    void aHostThatBecomesAServerHasItsFragmentsRelayed() {
        bed.engine.configure(FragmentBed.of(List.of()));
        final var server = net.servers.getFirst();
        final var direct = udp(Addresses.ipv4(client), Addresses.ipv4(server), 1000);
        only(net.datagram(client, direct), direct.source());
        assertEquals(Set.of(fragments(client, server)), keys());
        bed.engine.configure(net.config(OptionalInt.empty(), 1, 1, 1));
        bed.run();
        assertEquals(Set.of(), keys());
        assertEquals(server, only(net.datagram(client, direct), direct.source()));
        assertEquals(Set.of(FlowKey.of(direct)), keys());
    }

    @Test
    void aTransferTakesTheFragmentsOfAllItsClientsPorts() {
        final var config = net.config(OptionalInt.empty(), 1, 0, 0);
        final var transfer = new MultipathConfig.Transfer("t", Addresses.ipv4(client), "v4", List.of(1),
            Optional.empty(), OptionalLong.empty());
        bed.engine.configure(new MultipathConfig(config.strategy(), config.refreshMs(), config.placer(),
            config.idleMs(), config.services(), Map.of("t", transfer)));
        bed.run();
        final var target = bed.engine.flows().iterator().next().record().key().target();
        final var asking = udp(Addresses.ipv4(client), target, 1000);
        assertEquals(net.servers.getFirst(), only(net.datagram(client, asking), asking.source()));
        assertEquals(1, bed.engine.flows().size());
    }

    /** As many as the largest datagram has wait; more fill no memory. */
    @Test
    void whatWaitsForAFirstFragmentIsBounded() {
        final var asking = net.asking(client, false, 1000);
        for (int round = 0; round < FragmentedPackets.HELD; round++) {
            net.datagram(client, asking, List.of(1, 2));
        }
        assertEquals(FragmentedPackets.HELD, bed.counts.totals().get(Counted.FRAGMENTS_DROPPED));
        assertNotEquals(List.of(), net.datagram(client, asking, List.of(0)));
    }

    private Set<FlowKey> keys() {
        return bed.engine.flows().stream().map(flow -> flow.record().key()).collect(Collectors.toCollection(
            HashSet::new));
    }

    private static FlowKey fragments(final Host one, final Host other) {
        return new FlowKey(FlowMatch.PROTOCOL_UDP, Addresses.ipv4(one), Addresses.ipv4(other), OptionalInt.of(0),
            OptionalInt.of(0));
    }

    private static InetAddress address(final Host host, final boolean ipv6) {
        return ipv6 ? Addresses.ipv6(host) : Addresses.ipv4(host);
    }
}

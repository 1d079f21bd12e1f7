// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Packets follow their path, and survive the loss of any one cable while nobody looks. */
class LinkLossTest {
    private static final Bandwidth RATE = Bandwidth.ofMegabits(10);
    private static final Rates RATES = Rates.equal(RATE);
    private static final int FLOWS = 40;

    private record Talk(Host client, Host server, Connection connection, List<Link> forward, List<Link> backward) { }

    static Stream<Arguments> networks() {
        final long seed = new Random().nextLong();
        final var fixed = Stream.of(
            Arguments.of("fat-tree", seed, Topologies.fatTree(4, 1, RATES)),
            Arguments.of("fat-tree with parallel links", seed, Topologies.fatTree(4, 2, RATES)),
            Arguments.of("figure 10", seed, Topologies.figure10(RATE)),
            Arguments.of("leaf-spine", seed, Topologies.leafSpine(4, 3, 1, 2, RATES)),
            Arguments.of("line", seed, Topologies.line(4, 1, 2, RATES)));
        return Stream.concat(fixed, IntStream.range(0, 12).mapToObj(number -> Arguments.of("random", seed + number,
            Topologies.random(new Random(seed + number), 3 + number, 2 * number, RATE))));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("networks")
    void everyFlowFollowsItsPathAndSurvivesEveryCutThatLeavesAWay(final String name, final long seed,
            final FabricSnapshot whole) {
        final var bed = new Testbed(whole);
        final var talks = place(bed, new Random(seed));
        for (var talk : talks) {
            assertEquals(talk.forward(), bed.send(talk.client(), talk.server(), talk.connection()).links());
            assertEquals(talk.backward(),
                bed.send(talk.server(), talk.client(), talk.connection().reversed()).links());
            bed.assertArrives(talk.client(), talk.server(), talk.connection());
        }
        for (var cable : Topologies.cables(whole)) {
            bed.network.cut(cable);
            final var left = bed.network.snapshot();
            talks.stream().filter(talk -> connected(left, talk.client(), talk.server()))
                .forEach(talk -> bed.assertArrives(talk.client(), talk.server(), talk.connection()));
            bed.network.restore(cable);
        }
        for (int id = 0; id < talks.size(); id++) {
            bed.carryOut(bed.steering.withdraw(id));
        }
        bed.assertBare();
    }

    @Test
    void unprotectedLinksAreThoseWhoseLossDisconnects() {
        final var bed = new Testbed(Topologies.line(3, 1, 1, RATES));
        final var connection = tcp(bed.host(0), bed.host(2), 1);

        final var placed = bed.place(new FlowRequest(1, FlowKey.of(connection), connection.destination(),
            bed.path(1, 2, 3), bed.path(3, 2, 1), Purpose.plain("single")));

        final var expected = Stream.of(bed.link(1, 2), bed.link(2, 3), bed.link(3, 2), bed.link(2, 1))
            .map(Hop::of).toList();
        assertEquals(expected, placed.unprotected());
        assertEquals(new HashSet<>(expected), new HashSet<>(bed.steering.unprotected()));
    }

    @Test
    void packetTurnsBackWhereTheDetourBeginsWithTheLinkItCameBy() {
        final var bed = new Testbed(Topologies.leafSpine(2, 2, 1, 1, RATES));
        final var connection = tcp(bed.host(0), bed.host(1), 1);
        bed.place(new FlowRequest(1, FlowKey.of(connection), connection.destination(), bed.path(1, 3, 2),
            bed.path(2, 4, 1), Purpose.plain("single")));

        bed.network.cut(bed.link(3, 2));

        final var journey = bed.send(bed.host(0), bed.host(1), connection);
        assertEquals(List.of(bed.link(1, 3), bed.link(3, 1), bed.link(1, 4), bed.link(4, 2)), journey.links());
        assertTrue(journey.endsOnlyAt(bed.host(1)));
    }

    @Test
    void detourPrefersTheIdlerOfTwoEquallyLongWays() {
        final var idle = Topologies.leafSpine(2, 3, 1, 1, RATES);
        final var busy = idle.links().stream().map(link -> link.destination().switchId().equals(Testbed.id(4))
            ? new Link(link.source(), link.destination(), RATE, Bandwidth.ofMegabits(9)) : link).toList();
        final var search = new DetourSearch(new FabricSnapshot(2, idle.switches(), idle.ports(), busy, idle.hosts()));
        final var lost = idle.links().stream().filter(link -> link.source().switchId().equals(Testbed.id(1))
            && link.destination().switchId().equals(Testbed.id(3))).findFirst().orElseThrow();

        final var way = search.around(Hop.of(lost), Testbed.id(2)).orElseThrow();

        assertEquals(List.of(Testbed.id(5), Testbed.id(2)), way.stream().map(hop -> hop.in().switchId()).toList());
    }

    private static List<Talk> place(final Testbed bed, final Random random) {
        final var talks = new ArrayList<Talk>();
        while (talks.size() < FLOWS) {
            final var client = bed.host(random.nextInt(bed.whole.hosts().size()));
            final var server = bed.host(random.nextInt(bed.whole.hosts().size()));
            if (client != server) {
                final var from = client.attachment().switchId();
                final var to = server.attachment().switchId();
                final var forward = Testbed.randomPath(bed.whole, from, to, random);
                final var backward = Testbed.randomPath(bed.whole, to, from, random);
                final var connection = tcp(client, server, talks.size());
                bed.place(new FlowRequest(talks.size(), FlowKey.of(connection), connection.destination(), forward,
                    backward, Purpose.plain("random")));
                talks.add(new Talk(client, server, connection, forward.links(), backward.links()));
            }
        }
        return talks;
    }

    /** A connection over IPv4 or, for an odd number, IPv6. */
    private static Connection tcp(final Host client, final Host server, final int number) {
        final Function<Host, InetAddress> address = number % 2 == 0 ? Addresses::ipv4 : Addresses::ipv6;
        return new Connection(FlowMatch.PROTOCOL_TCP, address.apply(client), address.apply(server), 30000 + number, 80);
    }

    private static boolean connected(final FabricSnapshot snapshot, final Host one, final Host other) {
        final var seen = new HashSet<>(Set.of(one.attachment().switchId()));
        final var pending = new ArrayDeque<SwitchId>(seen);
        while (!pending.isEmpty()) {
            final var at = pending.remove();
            snapshot.links().stream().filter(link -> link.source().switchId().equals(at))
                .map(link -> link.destination().switchId()).filter(seen::add).forEach(pending::add);
        }
        return seen.contains(other.attachment().switchId());
    }
}

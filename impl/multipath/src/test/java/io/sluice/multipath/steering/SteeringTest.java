// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import static io.sluice.testlib.Addresses.ip;
import static io.sluice.testlib.Addresses.ipv4;
import static io.sluice.testlib.Addresses.ipv6;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.multipath.steering.Placement.Refused;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.net.InetAddress;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leaves 1 and 2 with two hosts each; spines 3, 4 and 5. */
class SteeringTest {
    private static final Purpose PURPOSE = Purpose.plain("single");

    private final Testbed bed =
        new Testbed(Topologies.leafSpine(2, 3, 1, 2, Rates.equal(Bandwidth.ofMegabits(10))));
    private final Host client = bed.host(0);
    private final Host neighbour = bed.host(1);
    private final Host server = bed.host(2);
    private final Host otherServer = bed.host(3);

    @ParameterizedTest
    @ValueSource(strings = {"10.9.9.9", "fd99::9"})
    void virtualAddressBecomesTheServersAndComesBackInReplies(final String virtual) {
        final var connection = new Connection(FlowMatch.PROTOCOL_TCP, like(client, virtual), ip(virtual), 5000, 80);
        bed.place(request(1, FlowKey.of(connection), like(server, virtual), 3));

        final var got = bed.send(client, server, connection).deliveries().getFirst();

        assertEquals(server, got.host());
        assertEquals(like(server, virtual), got.packet().connection().orElseThrow().destination());
        bed.assertArrives(client, server, connection);
    }

    @Test
    void hostsOnOneSwitchNeedNoLabel() {
        final var connection = tcp(client, ip("10.9.9.9"), 5000);

        final var placed = bed.place(new FlowRequest(1, FlowKey.of(connection), ipv4(neighbour), bed.path(1),
            bed.path(1), PURPOSE));

        assertTrue(placed.record().labels().isEmpty());
        assertEquals(1, placed.changes().declared().size());
        bed.assertArrives(client, neighbour, connection);
        bed.carryOut(bed.steering.withdraw(1));
        bed.assertBare();
    }

    @Test
    void protocolWithoutPortsIsSteeredByItsAddresses() {
        final var ping = new Connection(FlowMatch.PROTOCOL_ICMP, ipv4(client), ipv4(server), 0, 0);
        bed.place(request(1, FlowKey.of(ping), ipv4(server), 4));

        assertEquals(List.of(bed.link(1, 4), bed.link(4, 2)), bed.send(client, server, ping).links());
        bed.assertArrives(client, server, ping);
    }

    @Test
    void flowOfAllClientPortsGivesWayToOneConnection() {
        bed.place(request(1, FlowKey.toPort(FlowMatch.PROTOCOL_TCP, ipv4(client), ipv4(server), 80), ipv4(server), 3));
        bed.place(request(2, FlowKey.of(tcp(client, ipv4(server), 5000)), ipv4(server), 4));
        bed.place(request(3, new FlowKey(FlowMatch.PROTOCOL_TCP, ipv4(client), ipv4(server), OptionalInt.empty(),
            OptionalInt.empty()), ipv4(server), 5));

        assertEquals(bed.link(1, 4), bed.send(client, server, tcp(client, ipv4(server), 5000)).links().getFirst());
        assertEquals(bed.link(1, 3), bed.send(client, server, tcp(client, ipv4(server), 5001)).links().getFirst());
        final var other = new Connection(FlowMatch.PROTOCOL_TCP, ipv4(client), ipv4(server), 5000, 81);
        assertEquals(bed.link(1, 5), bed.send(client, server, other).links().getFirst());
        bed.assertArrives(client, server, tcp(client, ipv4(server), 5001));
    }

    @Test
    void flowsOfAllPortsInBothDirectionsDontTie() {
        final var there = FlowKey.toPort(FlowMatch.PROTOCOL_TCP, ipv4(client), ipv4(server), 80);
        final var back = FlowKey.toPort(FlowMatch.PROTOCOL_TCP, ipv4(server), ipv4(client), 5000);
        bed.place(request(1, there, ipv4(server), 3));
        bed.place(new FlowRequest(2, back, ipv4(client), bed.path(2, 4, 1), bed.path(1, 4, 2), PURPOSE));

        bed.assertArrives(client, server, tcp(client, ipv4(server), 5000));
    }

    @Test
    void equalPathsShareOneLabelAndGoWithTheLastFlow() {
        final var first = place(1, 5000, 3);
        final var second = place(2, 5001, 3);

        assertEquals(first.record().labels(), second.record().labels());
        assertEquals(List.of(second.record()),
            second.changes().declared().stream().map(Changes.Declared::record).toList());
        bed.carryOut(bed.steering.withdraw(1));
        bed.assertArrives(client, server, tcp(client, ipv4(server), 5001));
        bed.carryOut(bed.steering.withdraw(2));
        bed.assertBare();
        assertEquals(new Changes(List.of(), List.of()), bed.steering.withdraw(2));
        place(3, 5000, 3);
    }

    @Test
    void pathsThatCrossOneLinkOnTheirWayShareTheDetour() {
        final var triangle = new Testbed(Topologies.fatTree(4, 1, Rates.equal(Bandwidth.ofMegabits(10))));
        final var to = triangle.host(2);
        for (int id = 0; id < 2; id++) {
            final var connection = tcp(triangle.host(id), ipv4(to), 1);
            triangle.place(new FlowRequest(id, FlowKey.of(connection), ipv4(to), triangle.path(1, 3, 2),
                triangle.path(2, 4 - id, 1), PURPOSE));
        }

        final var detours = triangle.steering.everything().declared().stream().map(Changes.Declared::record)
            .filter(DetourRecord.class::isInstance).map(DetourRecord.class::cast).toList();

        assertEquals(detours.stream().map(DetourRecord::lost).distinct().count(), detours.size());
        assertEquals(6, detours.size());
    }

    @Test
    void movedFlowArrivesAtEveryMoment() {
        place(1, 5000, 3);
        final var connection = tcp(client, ipv4(server), 5000);

        final var moved = assertInstanceOf(Placement.Placed.class,
            bed.steering.place(request(1, FlowKey.of(connection), ipv4(server), 4)));
        Testbed.carryOut(moved.changes(), bed.claim(), () -> bed.assertArrives(client, server, connection));

        assertEquals(List.of(bed.link(1, 4), bed.link(4, 2)), bed.send(client, server, connection).links());
        assertTrue(moved.changes().withdrawn().stream().noneMatch(FlowRecord.class::isInstance));
        bed.carryOut(bed.steering.withdraw(1));
        bed.assertBare();
    }

    @Test
    void flowMovesToAnotherServer() {
        final var connection = tcp(client, ip("10.9.9.9"), 5000);
        bed.place(request(1, FlowKey.of(connection), ipv4(server), 3));
        bed.place(request(1, FlowKey.of(connection), ipv4(otherServer), 3));

        bed.assertArrives(client, otherServer, connection);
        bed.carryOut(bed.steering.withdraw(1));
        bed.assertBare();
    }

    @Test
    void flowWhosePacketsAnotherHasIsRefusedAndNothingChanges() {
        final var before = place(1, 5000, 3);
        final var everything = bed.steering.everything();

        refuse(request(2, before.record().key(), ipv4(server), 4));
        // the replies of a virtual and of a plain connection look alike
        refuse(request(2, FlowKey.of(tcp(client, ip("10.9.9.9"), 5000)), ipv4(server), 4));
        refuse(new FlowRequest(3, FlowKey.of(tcp(client, ip("10.9.9.9"), 1)), ipv4(client), bed.path(1), bed.path(1),
            PURPOSE));

        assertEquals(everything, bed.steering.everything());
    }

    @Test
    void flowIsRefusedWhenLabelsRunOutAndPlacedWhenTheyAreBack() {
        final var small = new Steering(Testbed.MULTIPATH, 8);
        small.observe(bed.whole);
        final var first = request(1, FlowKey.of(tcp(client, ipv4(server), 1)), ipv4(server), 3);
        final var second = request(2, FlowKey.of(tcp(client, ipv4(server), 2)), ipv4(server), 4);
        assertInstanceOf(Placement.Placed.class, small.place(first));
        final var everything = small.everything();

        assertInstanceOf(Refused.class, small.place(second));
        assertEquals(everything, small.everything());
        small.withdraw(1);
        assertInstanceOf(Placement.Placed.class, small.place(second));
    }

    @Test
    void requestsThatContradictThemselvesAreBugs() {
        final var key = FlowKey.of(tcp(client, ipv4(server), 1));
        assertThrows(IllegalArgumentException.class, () -> new FlowRequest(1, key, ipv4(server), bed.path(1, 3, 2),
            bed.path(1, 3, 2), PURPOSE));
        assertThrows(IllegalArgumentException.class, () -> new FlowRequest(1, key, ipv4(server),
            bed.path(1, 3, 1, 4, 2), bed.path(2, 3, 1), PURPOSE));
        assertThrows(IllegalArgumentException.class, () -> new FlowKey(FlowMatch.PROTOCOL_TCP, ipv4(client),
            ipv4(server), OptionalInt.of(1), OptionalInt.empty()));
        assertThrows(IllegalArgumentException.class, () -> ObjectKind.FLOW.object(1L << 36));
    }

    @Test
    void objectNumbersTellTheKind() {
        for (var kind : ObjectKind.values()) {
            final long object = kind.object(ObjectKind.MAX_NUMBER);
            assertEquals(List.of(kind), Stream.of(ObjectKind.values()).filter(one -> one.includes(object)).toList());
        }
    }

    private Placement.Placed place(final long id, final int clientPort, final int spine) {
        return bed.place(request(id, FlowKey.of(tcp(client, ipv4(server), clientPort)), ipv4(server), spine));
    }

    private void refuse(final FlowRequest request) {
        assertInstanceOf(Refused.class, bed.steering.place(request));
    }

    /** A flow from leaf 1 over {@code spine} to leaf 2, and back the same way. */
    private FlowRequest request(final long id, final FlowKey key, final InetAddress to, final int spine) {
        return new FlowRequest(id, key, to, bed.path(1, spine, 2), bed.path(2, spine, 1), PURPOSE);
    }

    private static InetAddress like(final Host host, final String example) {
        return example.contains(":") ? ipv6(host) : ipv4(host);
    }

    private static Connection tcp(final Host from, final InetAddress to, final int clientPort) {
        return new Connection(FlowMatch.PROTOCOL_TCP, ipv4(from), to, clientPort, 80);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static io.sluice.multipath.engine.FileService.CLIENT;
import static io.sluice.multipath.engine.FileService.FIGURE_10;
import static io.sluice.multipath.engine.FileService.SERVER;
import static io.sluice.multipath.engine.FileService.VIRTUAL;
import static io.sluice.multipath.engine.FileService.assertArrives;
import static io.sluice.multipath.engine.FileService.config;
import static io.sluice.multipath.engine.FileService.of;
import static io.sluice.multipath.engine.FileService.server;
import static io.sluice.multipath.engine.FileService.service;
import static io.sluice.multipath.engine.FileService.transfer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.FlowCounts.Counted;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.steering.FlowRecord;
import io.sluice.testlib.Addresses;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MultipathEngineTest {
    private final EngineBed bed = new EngineBed(FIGURE_10, config(Map.of()));

    @Test
    void aFirstPacketBringsAPathBothWaysAndIsReleased() {
        final var connection = tcp(CLIENT, SERVER, 1000);
        assertFalse(bed.send(CLIENT, SERVER, connection).toController().isEmpty());
        bed.connect(CLIENT, connection);
        assertEquals(1, bed.released.size());
        assertArrives(bed, connection);
        assertEquals(List.of("placed"), bed.events);
        assertEquals(List.of(), bed.refused);
        assertEquals(Optional.empty(), bed.engine.flows().iterator().next().pending());
    }

    @Test
    void fourConnectionsTakeFourDisjointPaths() {
        final var used = new HashSet<Link>();
        for (int port = 1; port <= 4; port++) {
            bed.connect(CLIENT, tcp(CLIENT, SERVER, port));
            bed.send(CLIENT, SERVER, tcp(CLIENT, SERVER, port)).links().stream()
                .filter(link -> link.capacity().equals(Bandwidth.ofMegabits(100)))
                .forEach(link -> assertTrue(used.add(link), link + " is shared"));
        }
        assertEquals(8, used.size());
    }

    @Test
    void aVirtualAddressLeadsToAServer() {
        final var connection = new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), VIRTUAL, 1000, 8001);
        bed.connect(CLIENT, connection);
        final var there = bed.send(CLIENT, SERVER, connection);
        assertTrue(there.endsOnlyAt(SERVER), there::toString);
        final var reply = there.deliveries().getFirst().packet().connection().orElseThrow().reversed();
        final var back = bed.send(SERVER, CLIENT, reply);
        assertTrue(back.endsOnlyAt(CLIENT), back::toString);
        assertEquals(Optional.of(connection.reversed()), back.deliveries().getFirst().packet().connection());
    }

    @Test
    void anIdleFlowLeavesNothingBehind() {
        final var connection = tcp(CLIENT, SERVER, 1000);
        bed.connect(CLIENT, connection);
        bed.clock.advance(Duration.ofSeconds(50));
        bed.send(CLIENT, SERVER, connection);
        bed.await(bed.engine.review(false));
        bed.clock.advance(Duration.ofSeconds(50));
        bed.await(bed.engine.review(false));
        assertEquals(1, bed.engine.flows().size());
        bed.clock.advance(Duration.ofSeconds(61));
        bed.await(bed.engine.review(false));
        bed.runUntil(bed::isBare);
        assertEquals(List.of("placed", "withdrawn IDLE"), bed.events);
        assertEquals(Map.of(Counted.PLACED, 1L, Counted.WITHDRAWN, 1L), bed.counts.totals());
    }

    @Test
    void aNewFlowIsSampledBeforeTheFirstReview() {
        final var connection = tcp(CLIENT, SERVER, 1000);
        bed.connect(CLIENT, connection);
        bed.send(CLIENT, SERVER, connection);
        bed.clock.advance(Duration.ofSeconds(1));
        bed.runUntil(() -> bed.engine.flows().iterator().next().usage().forward().packets() == 1);
        assertTrue(bed.engine.flows().iterator().next().limit().isPresent());
    }

    @Test
    void aFlowMovesOffALostLink() {
        final var connection = tcp(CLIENT, SERVER, 1000);
        bed.connect(CLIENT, connection);
        final var lost = bed.engine.flows().iterator().next().forward().links().getFirst();
        bed.cut(lost);
        assertEquals(List.of("placed", "moved PATH_BROKEN"), bed.events);
        assertEquals(Map.of(Counted.PLACED, 1L, Counted.MOVED, 1L), bed.counts.totals());
        assertFalse(bed.engine.flows().iterator().next().forward().links().contains(lost));
        assertArrives(bed, connection);
    }

    /** Its session is gone, its data plane is whole; then its hosts are forgotten. */
    @Test
    void aSwitchThatIsAwayKeepsItsFlows() {
        final var edge = SERVER.attachment().switchId();
        final var connection = tcp(CLIENT, SERVER, 1000);
        bed.connect(CLIENT, connection);
        bed.events.clear();
        bed.show(without(edge, FIGURE_10.hosts()));
        assertArrives(bed, connection);
        bed.show(FIGURE_10);
        assertArrives(bed, connection);
        assertEquals(List.of(), bed.events);

        bed.show(without(edge, FIGURE_10.hosts().stream().filter(host ->
            !host.attachment().switchId().equals(edge)).toList()));
        assertEquals(List.of("withdrawn UNREACHABLE"), bed.events);
        bed.runUntil(bed::isBare);
    }

    private static FabricSnapshot without(final SwitchId away, final List<Host> hosts) {
        final var switches = new HashSet<>(FIGURE_10.switches());
        switches.remove(away);
        return new FabricSnapshot(FIGURE_10.version() + 1, switches, FIGURE_10.ports(), FIGURE_10.links().stream()
            .filter(link -> !link.source().switchId().equals(away) && !link.destination().switchId().equals(away))
            .toList(), hosts);
    }

    @Test
    void aVirtualAddressOfTwoServicesLeadsToTheOneWithThePort() {
        final var files = service("files", List.of(server("s1", SERVER, 1)));
        final var other = new Service("archive", FlowMatch.PROTOCOL_TCP, Optional.of(VIRTUAL), OptionalInt.empty(), 1,
            OptionalInt.empty(), Optional.empty(), List.of(new Server("s", Addresses.ipv4(SERVER), 100, 1,
                List.of(new ServerPort(9000, 1)))), 60_000);
        bed.engine.configure(of(Map.of("files", files, "archive", other), Map.of()));
        for (final int port : List.of(8001, 9000)) {
            final var connection = new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), VIRTUAL, 1000, port);
            bed.connect(CLIENT, connection);
            assertTrue(bed.send(CLIENT, SERVER, connection).endsOnlyAt(SERVER), "port " + port);
        }
    }

    @Test
    void aRestartChangesNothingAndHalfATopologyMovesNothing() {
        final var connection = tcp(CLIENT, SERVER, 1000);
        bed.connect(CLIENT, connection);
        final long before = bed.changes();
        bed.shown = new FabricSnapshot(2, FIGURE_10.switches(), FIGURE_10.ports(), List.of(), List.of());
        bed.start(config(Map.of()));
        assertEquals(List.of("placed"), bed.events);
        assertArrives(bed, connection);
        bed.show(new FabricSnapshot(3, FIGURE_10.switches(), FIGURE_10.ports(), FIGURE_10.links(),
            FIGURE_10.hosts()));
        assertEquals(List.of("placed"), bed.events);
        assertArrives(bed, connection);
        assertEquals(before, bed.changes());
    }

    @Test
    void aRestartOnAKnownTopologyChangesNothing() {
        bed.connect(CLIENT, tcp(CLIENT, SERVER, 1000));
        bed.await(bed.engine.request(transfer(1, 2)));
        final long before = bed.changes();
        bed.start(config(Map.of("download", transfer(1, 2))));
        assertEquals(before, bed.changes());
        assertEquals(3, bed.engine.flows().size());
    }

    @Test
    void aTransferKeepsTheRateThatWasAskedForOverARestart() {
        final var transfer = transfer(1, 2);
        final var limited = new Transfer(transfer.name(), transfer.client(), transfer.service(), transfer.pieces(),
            Optional.of(Bandwidth.ofMegabits(2)), transfer.idleMs());
        bed.await(bed.engine.request(limited));
        bed.start(config(Map.of()));
        bed.engine.configure(config(Map.of("download", limited)));
        bed.run();
        assertEquals(List.of(limited.bandwidth(), limited.bandwidth()),
            bed.engine.flows().stream().map(FlowState::wanted).toList());
    }

    @Test
    void aRefusalIsReportedOnce() {
        final var connection = new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT),
            Addresses.ip("10.7.7.7"), 1, 2);
        bed.connect(CLIENT, connection);
        bed.connect(CLIENT, connection);
        assertEquals(1, bed.events.size());
        assertEquals(2, bed.refused.size(), "each packet is answered");
        assertTrue(bed.events.getFirst().startsWith("refused piece 1 is nowhere"), bed.events::toString);
        assertEquals(Map.of(Counted.REFUSED, 1L, Counted.DROPPED, 2L), bed.counts.totals());
        assertTrue(bed.isBare());
    }

    /** A reset would end a connection that might go on when its host is found. */
    @Test
    void aSegmentInMidConnectionBetweenHostsIsNotAnsweredAndADatagramIs() {
        final var nowhere = Addresses.ip("10.7.7.7");
        bed.talk(CLIENT, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), nowhere, 1, 2));
        assertEquals(List.of(), bed.refused);
        bed.talk(CLIENT, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), VIRTUAL, 1, 2));
        bed.talk(CLIENT, new Connection(FlowMatch.PROTOCOL_UDP, Addresses.ipv4(CLIENT), nowhere, 1, 2));
        assertEquals(2, bed.refused.size());
    }

    @Test
    void firstPacketsForWhichThereIsNoRoomAreCounted() {
        final int surplus = 5;
        for (int port = 1; port <= Arrivals.ROOM + surplus; port++) {
            bed.begin(CLIENT, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), VIRTUAL, port, 80));
        }
        bed.run();
        assertEquals(surplus, bed.counts.totals().get(Counted.TURNED_AWAY));
        assertTrue(bed.events.contains("turned away " + surplus));
        assertEquals(Arrivals.ROOM + 1, bed.refused.size(), "of the surplus the first packet alone is at hand");
    }

    @Test
    void aReviewMovesAFlowOffALoadedLink() {
        final var connection = tcp(CLIENT, SERVER, 1000);
        bed.connect(CLIENT, connection);
        final var loaded = load();
        assertEquals(0, bed.await(bed.engine.review(false)));
        assertEquals(1, bed.await(bed.engine.review(true)));
        assertTrue(bed.send(CLIENT, SERVER, connection).links().stream()
            .noneMatch(link -> link.source().equals(loaded.source())));
        assertArrives(bed, connection);
    }

    @Test
    void aTransferThatIsAskedForAnewLeavesALoadedLink() {
        bed.await(bed.engine.request(transfer(1)));
        load();
        bed.events.clear();
        bed.await(bed.engine.request(transfer(1)));
        assertEquals(List.of("moved ASKED_ANEW"), bed.events);
        assertEquals(1, bed.engine.flows().size());
    }

    /** Of two flows that an earlier controller gave the same packets one alone can move: the other has them. */
    @Test
    void aMoveThatIsRefusedIsNotCounted() {
        bed.connect(CLIENT, tcp(CLIENT, SERVER, 1000));
        final var flow = bed.engine.flows().iterator().next().record();
        final var twin = new FlowRecord(flow.id() + 1, flow.key(), flow.server(), flow.replyTo(),
            flow.clientSide(), flow.serverSide(), flow.labels(), flow.purpose());
        bed.records.put(twin.object(), twin);
        bed.start(config(Map.of()));
        load();
        bed.events.clear();
        assertEquals(1, bed.await(bed.engine.review(true)));
        assertEquals(List.of("moved BETTER_PATH"), bed.events);
    }

    @Test
    void nothingIsLeftAfterRandomConnectionsAndCuts() {
        final long seed = System.nanoTime();
        final var random = new Random(seed);
        for (int step = 0; step < 150; step++) {
            final var hosts = FIGURE_10.hosts();
            final var from = hosts.get(random.nextInt(hosts.size()));
            final var to = hosts.get(random.nextInt(hosts.size()));
            switch (random.nextInt(6)) {
                case 0 -> bed.cut(FIGURE_10.links().get(random.nextInt(FIGURE_10.links().size())));
                case 1 -> bed.restore(FIGURE_10.links().get(random.nextInt(FIGURE_10.links().size())));
                case 2 -> bed.engine.request(transfer(1, 2));
                case 3 -> bed.engine.release("download");
                default -> {
                    if (!from.equals(to)) {
                        bed.connect(from, tcp(from, to, 1 + random.nextInt(5)));
                    }
                }
            }
            if (random.nextBoolean()) {
                bed.run();
            }
        }
        bed.run();
        bed.engine.release("download");
        bed.clock.advance(Duration.ofSeconds(61));
        bed.await(bed.engine.review(false));
        bed.runUntil(() -> bed.engine.flows().isEmpty() && bed.isBare());
        assertTrue(bed.isBare(), () -> "seed " + seed);
    }

    /** Lets something else fill the first link of a flow. */
    private Link load() {
        final var loaded = bed.engine.flows().iterator().next().forward().links().getFirst();
        bed.show(new FabricSnapshot(1, FIGURE_10.switches(), FIGURE_10.ports(), FIGURE_10.links().stream()
            .map(link -> link.source().equals(loaded.source()) ? new Link(link.source(), link.destination(),
                link.capacity(), Bandwidth.ofMegabits(90)) : link).toList(), FIGURE_10.hosts()));
        return loaded;
    }

    private static Connection tcp(final Host from, final Host to, final int port) {
        return new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(from), Addresses.ipv4(to), port, 80);
    }
}

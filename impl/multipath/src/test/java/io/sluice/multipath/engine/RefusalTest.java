// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.FlowCounts.Counted;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.TransferAnswer.Granted;
import io.sluice.multipath.engine.TransferAnswer.Refused;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the engine does when a switch, the store or another flow stands in the way. */
class RefusalTest {
    private static final InetAddress VIRTUAL = Addresses.ip("10.9.9.9");
    private static final FabricSnapshot FIGURE_10 = Topologies.figure10(Bandwidth.ofMegabits(1000));
    private static final Host CLIENT = FIGURE_10.hosts().getFirst();
    private static final Host SERVER = FIGURE_10.hosts().getLast();
    private static final SwitchId EDGE = CLIENT.attachment().switchId();

    private final EngineBed bed = new EngineBed(FIGURE_10, config(Map.of()));

    @Test
    void aFlowIsNoLongerPendingWhenItsSwitchIsBack() {
        bed.programmer.detach(EDGE);
        bed.connect(CLIENT, connection(1000));
        assertTrue(theFlow().pending().orElseThrow().contains(EDGE.toString()), theFlow()::toString);

        bed.await(bed.engine.review(false));
        assertTrue(theFlow().pending().isPresent());
        bed.programmer.attach(EDGE);
        bed.await(bed.engine.review(false));
        assertEquals(Optional.empty(), theFlow().pending());
    }

    @Test
    void aSwitchThatAttachesIsAskedAtOnce() {
        bed.programmer.detach(EDGE);
        bed.connect(CLIENT, connection(1000));
        final var elsewhere = new HashSet<>(FIGURE_10.switches());
        elsewhere.remove(FIGURE_10.hosts().get(3).attachment().switchId());
        bed.show(new FabricSnapshot(2, elsewhere, FIGURE_10.ports(), FIGURE_10.links(), FIGURE_10.hosts()));
        assertTrue(theFlow().pending().isPresent());
        bed.programmer.attach(EDGE);
        bed.show(FIGURE_10);
        assertEquals(Optional.empty(), theFlow().pending());
    }

    @Test
    void aFlowIsInstalledThoughTheStoreFailsAndKeptLater() {
        bed.storeFails = true;
        bed.connect(CLIENT, connection(1000));
        assertTrue(bed.send(CLIENT, SERVER, connection(1000)).endsOnlyAt(SERVER));
        assertEquals(1, bed.released.size());
        assertEquals(Optional.of("not kept for a restart: the disk is full"), theFlow().pending());
        assertEquals(Map.of(), bed.records);

        bed.storeFails = false;
        bed.await(bed.engine.review(false));
        assertEquals(Optional.empty(), theFlow().pending());
        assertTrue(bed.records.containsKey(theFlow().record().object()));
    }

    @Test
    void aRecordThatCouldNotBeDroppedIsDroppedLater() {
        bed.await(bed.engine.request(transfer("download", 1)));
        final long object = theFlow().record().object();
        bed.storeFails = true;
        bed.engine.release("download");
        bed.run();
        assertTrue(bed.records.containsKey(object));

        bed.storeFails = false;
        bed.connect(CLIENT, connection(1000));
        assertTrue(!bed.records.containsKey(object));
    }

    @Test
    void aConnectionWhosePacketsAreAnothersIsRefusedAloud() {
        bed.connect(CLIENT, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), VIRTUAL, 1000, 8001));
        bed.connect(CLIENT, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), Addresses.ipv4(SERVER),
            1000, 8001));
        assertEquals(1, bed.engine.flows().size());
        assertTrue(bed.events.getLast().startsWith("refused flow 1 has the packets"), bed.events::toString);
        assertEquals(1, bed.refused.size());
    }

    @Test
    void aTransferThatCantBeWrittenIsReleased() {
        final var refused = assertInstanceOf(Refused.class, bed.await(bed.engine.request(transfer("download", 1, 2),
            () -> CompletableFuture.failedStage(new IllegalStateException("the disk is full")))));
        assertTrue(refused.reason().contains("the disk is full"), refused::reason);
        bed.engine.configure(config(Map.of()));
        bed.runUntil(bed::isBare);
        assertInstanceOf(Granted.class, bed.await(bed.engine.request(transfer("download", 1, 2),
            () -> CompletableFuture.completedStage(null))));
        assertEquals(2, bed.engine.flows().size());
    }

    @Test
    void aTransferWhosePacketsAreAnothersIsRefusedWithTheReason() {
        bed.await(bed.engine.request(transfer("download", 1)));
        final var refused = assertInstanceOf(Refused.class, bed.await(bed.engine.request(transfer("other", 2, 1))));
        assertTrue(refused.reason().startsWith("flow 1 has the packets"), refused::reason);
        assertEquals(1, bed.engine.flows().size());
    }

    @Test
    void aTransferThatIsAskedForAnewAndRefusedKeepsWhatItHas() {
        bed.await(bed.engine.request(transfer("download", 1, 2)));
        final var before = bed.engine.flows();
        assertInstanceOf(Refused.class, bed.await(bed.engine.request(transfer("download", 1, 9))));
        assertEquals(before, bed.engine.flows());
        assertEquals(List.of("placed", "placed"), bed.events);
    }

    @Test
    void aTransferThatIsAskedForAnewKeepsTheFlowsThatItStillNeeds() {
        bed.await(bed.engine.request(transfer("download", 1, 2)));
        final var before = idsByPiece();
        final var granted = assertInstanceOf(Granted.class,
            bed.await(bed.engine.request(transfer("download", 2, 3))));
        assertEquals(2, granted.flows().size());
        assertEquals(List.of(2, 3), idsByPiece().keySet().stream().sorted().toList());
        assertEquals(before.get(2), idsByPiece().get(2));
        assertEquals("withdrawn RELEASED", bed.events.getLast());
    }

    @Test
    void aTransferThatChangesInTheConfigurationIsPlacedAnew() {
        bed.engine.configure(config(Map.of("download", transfer("download", 1))));
        bed.run();
        bed.engine.configure(config(Map.of("download", transfer("download", 2))));
        bed.run();
        assertEquals(List.of(2), List.copyOf(idsByPiece().keySet()));
    }

    @Test
    void aStandingTransferThatCantBePlacedIsToldOnce() {
        bed.engine.configure(config(Map.of("download", transfer("download", 9))));
        bed.await(bed.engine.review(false));
        bed.await(bed.engine.review(false));
        assertEquals(1, bed.events.size());
        assertTrue(bed.events.getFirst().startsWith("refused download piece 9 is nowhere"), bed.events::toString);
        assertEquals(1, bed.counts.totals().get(Counted.TRANSFERS_REFUSED));
    }

    @Test
    void aServerWhoseSwitchIsAwayIsNoCandidateAndTheSwitchIsNamed() {
        final var away = SERVER.attachment().switchId();
        showWithout(away);
        final var refused = assertInstanceOf(Refused.class, bed.await(bed.engine.request(transfer("download", 1))));
        assertEquals("piece 1 is nowhere to be had: server s1 is behind " + away + ", which is not connected; check "
            + away + " and its way to the controller", refused.reason());
        assertEquals(List.of(), bed.engine.refusals().ofTransfer("download").orElseThrow().demand().orElseThrow()
            .pieces().getFirst().candidates());

        bed.connect(CLIENT, connection(1000));
        assertTrue(bed.events.getLast().contains("is behind " + away + ", which is not connected"),
            bed.events::toString);
    }

    @Test
    void aClientWhoseSwitchIsAwayIsRefusedWithTheSwitch() {
        showWithout(EDGE);
        final var refused = assertInstanceOf(Refused.class, bed.await(bed.engine.request(transfer("download", 1))));
        assertEquals("client " + Addresses.ipv4(CLIENT).getHostAddress() + " is behind " + EDGE + ", which is not "
            + "connected; check " + EDGE + " and its way to the controller", refused.reason());
    }

    @Test
    void aServerThatWasNotSeenIsNamed() {
        bed.show(new FabricSnapshot(2, FIGURE_10.switches(), FIGURE_10.ports(), FIGURE_10.links(), List.of(CLIENT)));
        final var refused = assertInstanceOf(Refused.class, bed.await(bed.engine.request(transfer("download", 1))));
        assertTrue(refused.reason().startsWith("piece 1 is nowhere to be had: server s1 was not seen"),
            refused::reason);
    }

    @Test
    void aDrainedServerGetsNothingNewUnlessItIsNamed() {
        final var service = config(Map.of()).services().get("files");
        final var server = service.servers().getFirst();
        final var drained = new Service("files", service.protocol(), service.virtualAddress(), service.virtualPort(),
            service.pieces(), service.slots(), service.strategy(), List.of(new Server(server.name(), server.address(),
                server.maxLoad(), 0, server.ports())), service.drainMs());
        bed.engine.configure(new MultipathConfig(Strategy.JOINT, 1000, bed.engine.config().placer(), 60_000,
            Map.of("files", drained), Map.of()));
        final var refused = assertInstanceOf(Refused.class, bed.await(bed.engine.request(transfer("download", 1))));
        assertTrue(refused.reason().contains("server s1 is drained"), refused::reason);
        bed.connect(CLIENT, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), VIRTUAL, 1000, 8001));
        assertEquals(List.of(), List.copyOf(bed.engine.flows()));
        bed.connect(CLIENT, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), Addresses.ipv4(SERVER),
            1000, 8001));
        assertEquals(1, bed.engine.flows().size());
    }

    @Test
    void eachPacketToAFullServiceIsAnsweredAndThoseOfPlacedConnectionsAreNot() {
        final int room = 3;
        for (int port = 1; port <= room + 2; port++) {
            bed.connect(CLIENT, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), VIRTUAL, port, 8001));
        }
        bed.connect(CLIENT, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), VIRTUAL, room + 1, 8001));
        assertEquals(room, bed.engine.flows().size());
        assertEquals(List.of(room + 1, room + 2, room + 1), bed.refused.stream()
            .map(packet -> packet.connection().sourcePort()).toList());
        assertEquals(room, bed.released.size());
        bed.talk(CLIENT, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), VIRTUAL, room + 2, 8001));
        assertEquals(4, bed.refused.size(), "a connection that was open before can't have its server back");
    }

    @Test
    void aConnectionThatWasOpenBeforeIsNotResetAsLongAsItsServerMayComeBack() {
        showWithout(SERVER.attachment().switchId());
        final var connection = new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), VIRTUAL, 1, 8001);
        bed.talk(CLIENT, connection);
        assertEquals(List.of(), bed.refused);
        bed.connect(CLIENT, connection);
        assertEquals(1, bed.refused.size());
        bed.show(FIGURE_10);
        bed.talk(CLIENT, connection);
        assertEquals(1, bed.engine.flows().size());
    }

    private void showWithout(final SwitchId away) {
        final var present = new HashSet<>(FIGURE_10.switches());
        present.remove(away);
        bed.show(new FabricSnapshot(2, present, FIGURE_10.ports(), FIGURE_10.links().stream().filter(link ->
            !link.source().switchId().equals(away) && !link.destination().switchId().equals(away)).toList(),
            FIGURE_10.hosts()));
    }

    private FlowState theFlow() {
        assertEquals(1, bed.engine.flows().size());
        return bed.engine.flows().iterator().next();
    }

    private Map<Integer, Long> idsByPiece() {
        return bed.engine.flows().stream().collect(Collectors.toMap(
            flow -> flow.record().purpose().piece().orElseThrow(), flow -> flow.record().id()));
    }

    private static Connection connection(final int port) {
        return new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), Addresses.ipv4(SERVER), port, 80);
    }

    private static Transfer transfer(final String name, final Integer... pieces) {
        return new Transfer(name, Addresses.ipv4(CLIENT), "files", List.of(pieces), Optional.empty(),
            OptionalLong.empty());
    }

    private static MultipathConfig config(final Map<String, Transfer> transfers) {
        final var ports = IntStream.rangeClosed(1, 4).mapToObj(piece -> new ServerPort(8000 + piece, piece)).toList();
        final var service = new Service("files", FlowMatch.PROTOCOL_TCP, Optional.of(VIRTUAL), OptionalInt.empty(), 4,
            OptionalInt.empty(), Optional.empty(), List.of(new Server("s1", Addresses.ipv4(SERVER), 3, 1, ports)),
            60_000);
        return new MultipathConfig(Strategy.JOINT, 1000, new PlacerSettings(500_000, 100_000, 10_000_000_000L),
            60_000, Map.of("files", service), transfers);
    }
}

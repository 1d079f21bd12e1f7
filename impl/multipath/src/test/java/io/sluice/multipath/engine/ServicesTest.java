// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static io.sluice.multipath.engine.FileService.CLIENT;
import static io.sluice.multipath.engine.FileService.DRAIN;
import static io.sluice.multipath.engine.FileService.FIGURE_10;
import static io.sluice.multipath.engine.FileService.SERVER;
import static io.sluice.multipath.engine.FileService.VIRTUAL;
import static io.sluice.multipath.engine.FileService.of;
import static io.sluice.multipath.engine.FileService.server;
import static io.sluice.multipath.engine.FileService.transfer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.testlib.Addresses;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Connections and transfers whose server or service goes. */
class ServicesTest {
    private static final int PORT = 8001;
    private static final Host OTHER = FIGURE_10.hosts().get(3);
    private static final Server FIRST = server("s1", SERVER, 1, 2);
    private static final Server SECOND = server("s2", OTHER, 1, 2);

    private final EngineBed bed = new EngineBed(FIGURE_10, serving(FlowMatch.PROTOCOL_TCP, FIRST));

    @Test
    void aConnectionStaysAtADrainedServerForTheDrainTimeout() {
        bed.connect(CLIENT, toVirtual(1));
        configure(serving(FlowMatch.PROTOCOL_TCP, drained(FIRST), SECOND));
        pass(DRAIN.minusSeconds(1));
        assertServedBy(SERVER, toVirtual(1));
        assertEquals(List.of("placed"), bed.events);
        assertTrue(since(theFlow()).isPresent());

        pass(Duration.ofSeconds(1));
        assertEquals(List.of("placed", "withdrawn SERVER_DRAINED"), bed.events);
        assertTrue(bed.engine.flows().isEmpty());
    }

    @Test
    void bothEndsOfATcpConnectionAreAnsweredWhenItsTimeIsOverAndTheirPacketsAreNotPlaced() {
        bed.connect(CLIENT, toVirtual(1));
        configure(serving(FlowMatch.PROTOCOL_TCP, SECOND));
        pass(DRAIN);
        bed.talk(CLIENT, toVirtual(1));
        bed.talk(SERVER, fromServer(1));
        bed.talk(CLIENT, toVirtual(1));
        assertEquals(List.of(toVirtual(1), fromServer(1), toVirtual(1)),
            bed.refused.stream().map(packet -> packet.connection()).toList());
        assertTrue(bed.engine.flows().isEmpty());
        assertTrue(bed.events.contains("refused the connection was ended, since its server was removed or drained or "
            + "its service was removed; connect again"), bed.events::toString);
    }

    @Test
    void aNewConnectionWithTheSamePortsIsPlaced() {
        bed.connect(CLIENT, toVirtual(1));
        configure(serving(FlowMatch.PROTOCOL_TCP, SECOND));
        pass(DRAIN);
        bed.connect(CLIENT, toVirtual(1));
        assertServedBy(OTHER, toVirtual(1));
        bed.talk(SERVER, fromServer(1));
        assertEquals(2, bed.engine.flows().size(), "nothing is known of the old connection any more");
        assertEquals(List.of(), bed.refused);
    }

    @Test
    void anEndedConnectionIsForgottenAfterSomeMinutes() {
        bed.connect(CLIENT, toVirtual(1));
        configure(serving(FlowMatch.PROTOCOL_TCP, SECOND));
        pass(DRAIN);
        bed.clock.advance(Duration.ofNanos(EndedConnections.KEPT_NS - 1));
        bed.talk(CLIENT, toVirtual(1));
        assertEquals(1, bed.refused.size());
        bed.clock.advance(Duration.ofNanos(1));
        bed.talk(CLIENT, toVirtual(1));
        assertServedBy(OTHER, toVirtual(1));
    }

    @Test
    void aServerThatComesBackInTimeKeepsItsConnections() {
        bed.connect(CLIENT, toVirtual(1));
        configure(serving(FlowMatch.PROTOCOL_TCP, drained(FIRST), SECOND));
        pass(DRAIN.minusSeconds(1));
        configure(serving(FlowMatch.PROTOCOL_TCP, FIRST, SECOND));
        assertEquals(Optional.empty(), since(theFlow()));
        pass(DRAIN);
        configure(serving(FlowMatch.PROTOCOL_TCP, SECOND));
        pass(DRAIN.minusSeconds(1));
        assertServedBy(SERVER, toVirtual(1));
        assertEquals(List.of("placed"), bed.events);
    }

    @Test
    void aServerThatOffersThePortNoMoreIsLeftToo() {
        bed.connect(CLIENT, toVirtual(1));
        configure(serving(FlowMatch.PROTOCOL_TCP, server("s1", SERVER, 2), SECOND));
        pass(DRAIN);
        assertEquals(List.of("placed", "withdrawn SERVER_DRAINED"), bed.events);
    }

    @Test
    void udpMovesToAnotherServer() {
        bed.engine.configure(serving(FlowMatch.PROTOCOL_UDP, FIRST));
        bed.talk(CLIENT, udp(1));
        assertServedBy(SERVER, udp(1));
        configure(serving(FlowMatch.PROTOCOL_UDP, SECOND));
        pass(DRAIN);
        assertEquals(List.of("placed", "moved SERVER_DRAINED"), bed.events);
        assertServedBy(OTHER, udp(1));
        assertEquals(Optional.of("s2"), theFlow().record().purpose().server());
        assertEquals(Optional.empty(), since(theFlow()));
    }

    @Test
    void udpThatNoOtherServerTakesIsRefusedAtBothEndsUntilThereIsOne() {
        bed.engine.configure(serving(FlowMatch.PROTOCOL_UDP, FIRST));
        bed.talk(CLIENT, udp(1));
        configure(serving(FlowMatch.PROTOCOL_UDP, drained(FIRST)));
        pass(DRAIN);
        assertEquals(List.of("placed", "withdrawn SERVER_DRAINED"), bed.events);
        bed.talk(CLIENT, udp(1));
        bed.talk(SERVER, reply(udp(1)));
        assertEquals(2, bed.refused.size());
        assertTrue(bed.engine.flows().isEmpty());
        configure(serving(FlowMatch.PROTOCOL_UDP, drained(FIRST), SECOND));
        bed.talk(CLIENT, udp(1));
        assertServedBy(OTHER, udp(1));
    }

    @Test
    void withoutATimeoutAConnectionEndsAtOnce() {
        bed.connect(CLIENT, toVirtual(1));
        configure(of(Map.of("files", service(FlowMatch.PROTOCOL_TCP, Duration.ZERO, SECOND)), Map.of()));
        assertEquals(List.of("placed", "withdrawn SERVER_DRAINED"), bed.events);
    }

    @Test
    void aTimeoutThatPassesBetweenReviewsIsKept() {
        final var timeout = Duration.ofMillis(200);
        bed.connect(CLIENT, toVirtual(1));
        bed.connect(CLIENT, toVirtual(2));
        configure(of(Map.of("files", service(FlowMatch.PROTOCOL_TCP, timeout, SECOND)), Map.of()));
        assertEquals(2, bed.engine.flows().size());
        bed.clock.advance(timeout);
        bed.runUntil(() -> bed.engine.flows().isEmpty());
    }

    @Test
    void whoNamedTheServerItselfStays() {
        final var named = new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), Addresses.ipv4(SERVER), 1,
            PORT);
        bed.connect(CLIENT, named);
        configure(serving(FlowMatch.PROTOCOL_TCP, drained(FIRST), SECOND));
        pass(DRAIN);
        assertEquals(Optional.of("s1"), theFlow().record().purpose().server());
        configure(serving(FlowMatch.PROTOCOL_TCP, SECOND));
        pass(DRAIN);
        FileService.assertArrives(bed, named);
        assertEquals(Optional.empty(), theFlow().record().purpose().service(), "it takes up no server's room");
        assertEquals(List.of("placed"), bed.events);
    }

    @Test
    void aServiceThatIsGoneTakesItsConnectionsWithItAtOnce() {
        bed.connect(CLIENT, toVirtual(1));
        final var named = new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), Addresses.ipv4(SERVER), 2,
            PORT);
        bed.connect(CLIENT, named);
        configure(of(Map.of(), Map.of()));
        assertEquals(List.of("placed", "placed", "withdrawn SERVICE_GONE"), bed.events);
        FileService.assertArrives(bed, named);
        assertEquals(Optional.empty(), theFlow().record().purpose().service());
        assertFalse(bed.send(CLIENT, SERVER, toVirtual(1)).toController().isEmpty());
        bed.talk(SERVER, fromServer(1));
        assertEquals(1, bed.refused.size());
    }

    @Test
    void anotherAddressPortOrTransportEndsTheConnectionsOfTheOld() {
        final var other = Addresses.ip("10.9.9.8");
        for (var changed : List.of(service(FlowMatch.PROTOCOL_UDP, Optional.of(VIRTUAL), OptionalInt.empty()),
                service(FlowMatch.PROTOCOL_TCP, Optional.of(other), OptionalInt.empty()),
                service(FlowMatch.PROTOCOL_TCP, Optional.empty(), OptionalInt.empty()),
                service(FlowMatch.PROTOCOL_TCP, Optional.of(VIRTUAL), OptionalInt.of(8002)))) {
            configure(serving(FlowMatch.PROTOCOL_TCP, FIRST));
            bed.connect(CLIENT, toVirtual(1));
            bed.events.clear();
            configure(of(Map.of("files", changed), Map.of()));
            assertEquals(List.of("withdrawn SERVICE_GONE"), bed.events, changed::toString);
        }
        configure(serving(FlowMatch.PROTOCOL_TCP, FIRST));
        bed.connect(CLIENT, toVirtual(1));
        bed.events.clear();
        configure(of(Map.of("files", service(FlowMatch.PROTOCOL_TCP, Optional.of(VIRTUAL), OptionalInt.of(PORT))),
            Map.of()));
        assertEquals(List.of(), bed.events);
    }

    @Test
    void piecesOfATransferLeaveADrainedServerAndTheOthersStay() {
        final var config = serving(FlowMatch.PROTOCOL_TCP, server("s1", SERVER, 1), server("s2", OTHER, 2));
        bed.engine.configure(of(config.services(), Map.of("download", transfer(1, 2))));
        bed.run();
        final var staying = flowTo(OTHER).record().id();
        final var third = server("s3", FIGURE_10.hosts().get(1), 1);
        configure(of(serving(FlowMatch.PROTOCOL_TCP, server("s2", OTHER, 2), third).services(),
            Map.of("download", transfer(1, 2))));
        pass(DRAIN.minusSeconds(1));
        assertEquals(List.of("placed", "placed"), bed.events);
        pass(Duration.ofSeconds(1));
        assertEquals(List.of("placed", "placed", "placed", "withdrawn SERVER_DRAINED"), bed.events);
        assertEquals(2, bed.engine.flows().size());
        assertEquals(staying, flowTo(OTHER).record().id());
        assertEquals(Optional.of("s3"), flowTo(FIGURE_10.hosts().get(1)).record().purpose().server());
    }

    @Test
    void aPieceThatIsNowhereElseToBeHadGoesAllTheSame() {
        final var config = serving(FlowMatch.PROTOCOL_TCP, server("s1", SERVER, 1), server("s2", OTHER, 2));
        bed.engine.configure(of(config.services(), Map.of("download", transfer(1, 2))));
        bed.run();
        configure(of(serving(FlowMatch.PROTOCOL_TCP, drained(server("s1", SERVER, 1)), server("s2", OTHER, 2))
            .services(), Map.of("download", transfer(1, 2))));
        pass(DRAIN);
        assertEquals("withdrawn SERVER_DRAINED", bed.events.get(2));
        assertEquals(Addresses.ipv4(OTHER), theFlow().record().server());
    }

    /** Each of two servers has room for one piece of the transfer that moves, and for one that stays. */
    @Test
    void piecesThatMoveTakeNoRoomOfThoseThatStay() {
        final var second = new Server("s2", Addresses.ipv4(OTHER), 1, 1, server("s2", OTHER, 1, 2).ports());
        final Map<String, Transfer> transfers = Map.of("download", transfer(1, 2));
        bed.engine.configure(of(serving(FlowMatch.PROTOCOL_TCP, server("s1", SERVER, 1), second).services(),
            transfers));
        bed.run();
        assertEquals(Addresses.ipv4(OTHER), flowTo(OTHER).record().server());
        configure(of(serving(FlowMatch.PROTOCOL_TCP, second).services(), transfers));
        pass(DRAIN);
        assertEquals(Addresses.ipv4(OTHER), theFlow().record().server(), "it serves one piece at a time");
    }

    @Test
    void noMoreConnectionsAreRememberedThanThereIsRoomFor() {
        final int surplus = 10;
        bed.engine.configure(serving(FlowMatch.PROTOCOL_TCP, new Server("s1", FIRST.address(), Integer.MAX_VALUE, 1,
            FIRST.ports())));
        for (int port = 1; port <= EndedConnections.KEPT + surplus; port++) {
            bed.begin(CLIENT, toVirtual(port));
            bed.run();
        }
        configure(of(Map.of(), Map.of()));
        bed.events.clear();
        bed.talk(SERVER, fromServer(surplus));
        assertEquals(0, bed.refused.size(), "the oldest are forgotten");
        bed.talk(SERVER, fromServer(surplus + 1));
        assertEquals(1, bed.refused.size());
    }

    private void configure(final MultipathConfig config) {
        bed.engine.configure(config);
        bed.run();
    }

    /** Time goes by, at its end a review. */
    private void pass(final Duration time) {
        bed.engine.flows().stream().map(FlowState::record).filter(flow -> flow.key().clientPort().isPresent())
            .forEach(flow -> bed.send(CLIENT, SERVER, EndedConnections.connection(flow).orElseThrow()));
        bed.clock.advance(time);
        bed.await(bed.engine.review(false));
    }

    private void assertServedBy(final Host server, final Connection connection) {
        final var there = bed.send(CLIENT, SERVER, connection);
        assertTrue(there.endsOnlyAt(server), there::toString);
        final var back = bed.send(server, CLIENT,
            there.deliveries().getFirst().packet().connection().orElseThrow().reversed());
        assertTrue(back.endsOnlyAt(CLIENT), back::toString);
    }

    private Optional<?> since(final FlowState flow) {
        return bed.engine.drainingSince(flow.record().id());
    }

    private FlowState theFlow() {
        assertEquals(1, bed.engine.flows().size(), bed.engine.flows()::toString);
        return bed.engine.flows().iterator().next();
    }

    private FlowState flowTo(final Host server) {
        return bed.engine.flows().stream().filter(flow -> flow.record().server().equals(Addresses.ipv4(server)))
            .findFirst().orElseThrow();
    }

    private static Connection toVirtual(final int port) {
        return new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT), VIRTUAL, port, PORT);
    }

    private static Connection udp(final int port) {
        return new Connection(FlowMatch.PROTOCOL_UDP, Addresses.ipv4(CLIENT), VIRTUAL, port, PORT);
    }

    private static Connection fromServer(final int port) {
        return reply(toVirtual(port));
    }

    private static Connection reply(final Connection connection) {
        return new Connection(connection.protocol(), Addresses.ipv4(SERVER), connection.source(),
            connection.destinationPort(), connection.sourcePort());
    }

    private static Server drained(final Server server) {
        return new Server(server.name(), server.address(), server.maxLoad(), 0, server.ports());
    }

    private static MultipathConfig serving(final int protocol, final Server... servers) {
        return of(Map.of("files", service(protocol, DRAIN, servers)), Map.of());
    }

    private static Service service(final int protocol, final Duration drain, final Server... servers) {
        return new Service("files", protocol, Optional.of(VIRTUAL), OptionalInt.empty(), 4, OptionalInt.empty(),
            Optional.empty(), List.of(servers), drain.toMillis());
    }

    private static Service service(final int protocol, final Optional<InetAddress> address, final OptionalInt port) {
        return new Service("files", protocol, address, port, 4, OptionalInt.empty(), Optional.empty(), List.of(FIRST),
            DRAIN.toMillis());
    }
}

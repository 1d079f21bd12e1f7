// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.FirstPackets;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.api.FlowMatch;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import io.sluice.multipath.steering.FlowRecord;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Connections that were ended because their server or service is gone. Packets that their ends still send are to be
 * refused: placed like those of a new connection, they would reach a server that knows nothing of it. Belongs to the
 * engine's loop.
 */
final class EndedConnections {
    /** Connections that are remembered at a time; the oldest are forgotten first. */
    static final int KEPT = 4096;
    /** TCP ends repeat a packet for minutes, and seldom after five (RFC 1122, section 4.2.3.5). */
    static final long KEPT_NS = 300_000_000_000L;

    private final PlacedFlows flows;
    private final FirstPackets firstPackets;
    private final LongSupplier nowNs;
    private final LinkedHashMap<Connection, Ended> byClient = new LinkedHashMap<>();
    /** The client's direction of each connection, by the server's. */
    private final Map<Connection, Connection> byServer = new HashMap<>();

    /** An ended connection as its server's packets show it, and when it was ended. */
    private record Ended(Connection fromServer, long endedNs) { }

    EndedConnections(final PlacedFlows flows, final FirstPackets firstPackets, final LongSupplier nowNs) {
        this.flows = flows;
        this.firstPackets = firstPackets;
        this.nowNs = nowNs;
    }

    /** Withdraws the flow of a connection, and remembers the connection. */
    void end(final FlowState flow, final WithdrawCause cause) {
        flows.withdraw(flow, cause);
        connection(flow.record()).ifPresent(fromClient -> remember(fromClient, flow.record().server()));
    }

    /**
     * True if a packet belongs to an ended connection. A packet that opens a TCP connection with the same ports belongs
     * to a new one, and the old one is forgotten. So does a packet of a UDP client: it may be placed at another server.
     */
    boolean contains(final FirstPacket packet) {
        final var connection = packet.connection();
        final var fromClient = byServer.getOrDefault(connection, connection);
        final var ended = byClient.get(fromClient);
        if (ended == null) {
            return false;
        }
        final boolean tcp = connection.protocol() == FlowMatch.PROTOCOL_TCP;
        if (nowNs.getAsLong() - ended.endedNs() >= KEPT_NS || tcp && firstPackets.opens(packet)) {
            forget(fromClient);
            return false;
        }
        return tcp || !connection.equals(fromClient);
    }

    /** Forgets a connection, given in either direction: it was placed once more. */
    void forget(final Connection connection) {
        final var fromClient = byServer.getOrDefault(connection, connection);
        final var ended = byClient.remove(fromClient);
        if (ended != null) {
            byServer.remove(ended.fromServer(), fromClient);
        }
    }

    /** A flow's packets as its client sends them; nothing for a flow of several connections. */
    static Optional<Connection> connection(final FlowRecord flow) {
        final var key = flow.key();
        return key.isSlot() || key.clientPort().isEmpty() || key.targetPort().isEmpty() ? Optional.empty()
            : Optional.of(new Connection(key.vlan(), key.protocol(), key.client(), key.target(),
                key.clientPort().getAsInt(), key.targetPort().getAsInt()));
    }

    private void remember(final Connection fromClient, final InetAddress server) {
        forget(fromClient);
        if (byClient.size() == KEPT) {
            forget(byClient.firstEntry().getKey());
        }
        final var fromServer = new Connection(fromClient.vlan(), fromClient.protocol(), server, fromClient.source(),
            fromClient.destinationPort(), fromClient.sourcePort());
        byClient.put(fromClient, new Ended(fromServer, nowNs.getAsLong()));
        byServer.put(fromServer, fromClient);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.Fabric;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.steering.FlowKey;
import java.util.Optional;

/** Finds the placed flow whose entries would take the packets of a connection, were they not fragments. */
final class ConnectionFlows {
    private final Fabric fabric;
    private final FlowBook book;
    private final Decisions decisions;
    private final Slots slots;

    /**
     * A flow that a packet belongs to.
     *
     * @param toServer whether the packet goes from client to server
     */
    record Along(FlowState flow, boolean toServer) { }

    ConnectionFlows(final Fabric fabric, final FlowBook book, final Decisions decisions, final Slots slots) {
        this.fabric = fabric;
        this.book = book;
        this.decisions = decisions;
        this.slots = slots;
    }

    /** The flow of a packet that came in at {@code edge}; nothing if it is still to be placed. */
    Optional<Along> of(final Connection connection, final SwitchId edge) {
        return asked(connection).map(flow -> new Along(flow, true))
            .or(() -> asked(connection.reversed()).or(() -> behindVirtual(connection))
                .map(flow -> new Along(flow, false)))
            .or(() -> slot(connection, edge));
    }

    /** The flow of a client's connection: its own, or a transfer's, which takes all ports of the client. */
    private Optional<FlowState> asked(final Connection asking) {
        return book.flow(FlowKey.of(asking)).or(() -> book.flow(FlowKey.toPort(asking.protocol(), asking.source(),
            asking.destination(), asking.destinationPort())));
    }

    /** The flow of a server's reply whose client has asked a virtual address. */
    private Optional<FlowState> behindVirtual(final Connection reply) {
        return decisions.config().services().values().stream()
            .filter(service -> service.protocol() == reply.protocol())
            .map(Service::virtualAddress).flatMap(Optional::stream)
            .filter(address -> address.getClass() == reply.source().getClass())
            .flatMap(address -> asked(new Connection(reply.protocol(), reply.destination(), address,
                reply.destinationPort(), reply.sourcePort())).stream())
            .filter(flow -> flow.record().server().equals(reply.source())).findFirst();
    }

    private Optional<Along> slot(final Connection connection, final SwitchId edge) {
        return slots.take(connection)
            ? slots.flow(connection, edge).filter(flow -> !PlacedFlows.isRefused(flow))
                .map(flow -> new Along(flow, true))
            : slots.answered(connection, fabric.snapshot()).map(flow -> new Along(flow, false));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import io.sluice.multipath.steering.FlowRecord;
import io.sluice.multipath.steering.FlowRequest;
import io.sluice.multipath.steering.Purpose;
import java.util.Optional;
import java.util.OptionalInt;

/** Makes flows of single connections follow the services of the configuration: those of a service that is gone end. */
final class ServiceFlows {
    private final FlowBook book;
    private final Decisions decisions;
    private final PlacedFlows flows;
    private final EndedConnections ended;

    ServiceFlows(final FlowBook book, final Decisions decisions, final PlacedFlows flows,
            final EndedConnections ended) {
        this.book = book;
        this.decisions = decisions;
        this.flows = flows;
        this.ended = ended;
    }

    /**
     * Ends connections to a virtual address that their service does not have any more. A connection to a server's own
     * address goes on without its service if that does not have the server any more.
     */
    void follow() {
        book.all().stream().filter(flow -> !flow.record().key().isSlot()
            && flow.record().purpose().transfer().isEmpty() && flow.record().purpose().service().isPresent())
            .forEach(this::follow);
    }

    private void follow(final FlowState flow) {
        final var record = flow.record();
        final var service = service(record);
        if (record.isVirtual()) {
            if (service.filter(present -> isAskedFor(present, record)).isEmpty()) {
                ended.end(flow, WithdrawCause.SERVICE_GONE);
            }
        } else if (service.filter(present -> has(present, record)).isEmpty()) {
            flows.redeclare(flow, new FlowRequest(record.id(), record.key(), record.server(), record.replyTo(),
                flow.forward(), flow.backward(), Purpose.plain(record.purpose().strategy())));
        }
    }

    private Optional<Service> service(final FlowRecord flow) {
        return flow.purpose().service().map(decisions.config().services()::get);
    }

    private static boolean isAskedFor(final Service service, final FlowRecord flow) {
        return EndedConnections.connection(flow).map(service::isAskedForBy).orElseGet(() ->
            service.protocol() == flow.key().protocol()
                && service.virtualAddress().filter(flow.key().target()::equals).isPresent());
    }

    private static boolean has(final Service service, final FlowRecord flow) {
        return service.protocol() == flow.key().protocol() && service.servers().stream().anyMatch(server ->
            server.address().equals(flow.server())
                && flow.purpose().server().filter(server.name()::equals).isPresent() && server.ports().stream()
                    .anyMatch(port -> flow.key().targetPort().equals(OptionalInt.of(port.number()))));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathEngine.Environment;
import io.sluice.multipath.engine.MultipathEvents.MoveCause;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import io.sluice.multipath.placement.Decision;
import io.sluice.multipath.steering.FlowRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Flows whose server was removed from its service, is drained, or does not offer their port any more. They stay for the
 * service's drain time-out, and are taken off the server then; a server that offers their port again keeps them. Flows
 * of clients that named the server itself are no concern of this class.
 */
final class Drains {
    private final Environment environment;
    private final FlowBook book;
    private final Decisions decisions;
    private final PlacedFlows flows;
    private final EndedConnections ended;
    private final Runnable whenDue;
    private final Map<Long, Since> draining = new TreeMap<>();
    /** When {@link #whenDue} runs next, on the engine's clock. */
    private Optional<Long> plannedNs = Optional.empty();

    /** When a flow's server stopped to offer its port: on the engine's clock, and the time of day. */
    private record Since(long ns, Instant time) { }

    /**
     * Begins with no flow that drains.
     *
     * @param whenDue takes flows off their servers, by {@link #end}; runs when time-outs pass
     */
    Drains(final Environment environment, final FlowBook book, final Decisions decisions, final PlacedFlows flows,
            final EndedConnections ended, final Runnable whenDue) {
        this.environment = environment;
        this.book = book;
        this.decisions = decisions;
        this.flows = flows;
        this.ended = ended;
        this.whenDue = whenDue;
    }

    /** Takes note of the flows that have to leave their servers by the configuration in force. */
    void follow() {
        final var now = new Since(environment.nowNs().getAsLong(), environment.clock().instant());
        final var leaving = book.all().stream().filter(flow -> hasToLeave(flow.record()))
            .map(flow -> flow.record().id()).collect(Collectors.toSet());
        draining.keySet().retainAll(leaving);
        leaving.forEach(id -> draining.putIfAbsent(id, now));
    }

    /** Since when a flow has to leave its server; nothing if it may stay. */
    Optional<Instant> since(final long flow) {
        return Optional.ofNullable(draining.get(flow)).filter(since ->
            book.flow(flow).filter(present -> hasToLeave(present.record())).isPresent()).map(Since::time);
    }

    /** True if a flow has to leave its server, and its time is over. */
    boolean isOver(final FlowState flow) {
        return remainingNs(flow) <= 0;
    }

    /** True if a flow has to leave its server, and has time for it. */
    boolean isLeaving(final FlowState flow) {
        final long remaining = remainingNs(flow);
        return remaining > 0 && remaining < Long.MAX_VALUE;
    }

    /** The pieces of each transfer whose time is over. */
    Map<String, List<FlowState>> transfers() {
        return over().stream().filter(flow -> flow.record().purpose().transfer().isPresent())
            .collect(Collectors.groupingBy(flow -> flow.record().purpose().transfer().orElseThrow()));
    }

    /** Takes connections off their servers whose time is over; says whether there are slots to be moved, too. */
    boolean end(final FabricSnapshot snapshot) {
        over().stream().filter(flow -> !flow.record().key().isSlot()
            && flow.record().purpose().transfer().isEmpty()).forEach(flow -> end(flow, snapshot));
        return over().stream().anyMatch(flow -> flow.record().key().isSlot());
    }

    /** Sees to it that {@link #whenDue} runs when the next time-out passes. */
    void plan() {
        final long nowNs = environment.nowNs().getAsLong();
        draining.keySet().stream().flatMap(id -> book.flow(id).stream()).mapToLong(this::remainingNs)
            .filter(remaining -> remaining > 0 && remaining < Long.MAX_VALUE).min().ifPresent(remaining -> {
                final long dueNs = nowNs + remaining;
                if (plannedNs.filter(planned -> planned >= nowNs && planned <= dueNs).isEmpty()) {
                    plannedNs = Optional.of(dueNs);
                    environment.timer().after(remaining, () -> due(dueNs));
                }
            });
    }

    private void due(final long plan) {
        plannedNs = plannedNs.filter(planned -> planned != plan);
        whenDue.run();
    }

    private List<FlowState> over() {
        return draining.keySet().stream().flatMap(id -> book.flow(id).stream()).filter(this::isOver).toList();
    }

    /** How long a flow may still stay; without end if it does not have to leave. */
    private long remainingNs(final FlowState flow) {
        final var since = draining.get(flow.record().id());
        return since == null || !hasToLeave(flow.record()) ? Long.MAX_VALUE
            : since.ns() - environment.nowNs().getAsLong() + service(flow.record()).map(Service::drainNs).orElse(0L);
    }

    private boolean hasToLeave(final FlowRecord flow) {
        final boolean placedHere = flow.isVirtual() || flow.purpose().transfer().isPresent();
        return placedHere && service(flow).filter(service -> !offers(service, flow)).isPresent();
    }

    private static boolean offers(final Service service, final FlowRecord flow) {
        return service.servers().stream().anyMatch(server -> server.weight() > 0
            && server.address().equals(flow.server()) && (flow.key().targetPort().isEmpty()
                || server.ports().stream().anyMatch(port -> port.number() == flow.key().targetPort().getAsInt())));
    }

    private Optional<Service> service(final FlowRecord flow) {
        return flow.purpose().service().map(decisions.config().services()::get);
    }

    private void end(final FlowState flow, final FabricSnapshot snapshot) {
        draining.remove(flow.record().id());
        if (flow.record().key().protocol() == FlowMatch.PROTOCOL_TCP || !isMoved(flow, snapshot)) {
            ended.end(flow, WithdrawCause.SERVER_DRAINED);
        }
    }

    private boolean isMoved(final FlowState flow, final FabricSnapshot snapshot) {
        final var connection = EndedConnections.connection(flow.record());
        if (connection.isEmpty()) {
            return false;
        }
        final var asked = decisions.asked(connection.orElseThrow(), flow.record().clientSide(), snapshot);
        if (!(decisions.decide(book.without(List.of(flow), snapshot), asked.demand())
                instanceof Decision.Placed placed)) {
            return false;
        }
        final var wanted = new Wanted(flow.record().key(), placed.assignments().getFirst(), asked, Optional.empty());
        return flows.replace(flow, wanted.request(flow.record().id()), wanted.assignment(), MoveCause.SERVER_DRAINED);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import com.google.common.collect.Maps;
import io.sluice.multipath.engine.FlowCounts.Totals;
import io.sluice.multipath.engine.FlowState;
import io.sluice.multipath.engine.MultipathEngine;
import io.sluice.multipath.steering.FlowRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Multipath;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.MultipathBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Flow;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.FlowEvents;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.FlowKey;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Service;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.ServiceKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows flows, their counts and how busy servers are; writes what changed since it wrote last. */
final class StatePublisher {
    private static final Logger LOG = LoggerFactory.getLogger(StatePublisher.class);
    private static final DataObjectIdentifier<Multipath> ROOT = DataObjectIdentifier.builder(Multipath.class).build();
    private static final DataObjectIdentifier<FlowEvents> EVENTS =
        ROOT.toBuilder().child(FlowEvents.class).build();

    private final DataBroker dataBroker;
    private final Map<Long, FlowState> published = new HashMap<>();
    private Map<ServiceKey, Service> services = Map.of();
    private Optional<Totals> counted = Optional.empty();

    /** Where flows of a service end. */
    private record Place(Optional<String> service, Optional<String> server, OptionalInt port) {
        static Place of(final FlowRecord flow) {
            return new Place(flow.purpose().service(), flow.purpose().server(), flow.key().targetPort());
        }
    }

    /** Clears what an earlier owner may have left. */
    StatePublisher(final DataBroker dataBroker) {
        this.dataBroker = dataBroker;
        final var transaction = dataBroker.newWriteOnlyTransaction();
        transaction.put(LogicalDatastoreType.OPERATIONAL, ROOT, new MultipathBuilder().build());
        end(transaction);
    }

    void publish(final MultipathEngine engine, final Totals totals) {
        final var transaction = dataBroker.newWriteOnlyTransaction();
        boolean changed = publishFlows(engine, transaction);
        changed |= publishServices(engine, transaction);
        if (!counted.equals(Optional.of(totals))) {
            counted = Optional.of(totals);
            transaction.put(LogicalDatastoreType.OPERATIONAL, EVENTS, StateCodec.events(totals));
            changed = true;
        }
        if (changed) {
            end(transaction);
        } else {
            transaction.cancel();
        }
    }

    private boolean publishFlows(final MultipathEngine engine, final WriteTransaction transaction) {
        final var gone = new HashMap<>(published);
        boolean changed = false;
        for (var flow : engine.flows()) {
            gone.remove(flow.record().id());
            if (!flow.equals(published.put(flow.record().id(), flow))) {
                transaction.put(LogicalDatastoreType.OPERATIONAL, path(flow), StateCodec.flow(flow));
                changed = true;
            }
        }
        for (var flow : gone.values()) {
            published.remove(flow.record().id());
            transaction.delete(LogicalDatastoreType.OPERATIONAL, path(flow));
        }
        return changed || !gone.isEmpty();
    }

    private boolean publishServices(final MultipathEngine engine, final WriteTransaction transaction) {
        final var placed = engine.flows().stream().map(flow -> Place.of(flow.record()))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        final var now = engine.config().services().values().stream().map(service -> StateCodec.service(service,
            server -> engine.reportedLoad(service.name(), server),
            (server, port) -> placed.getOrDefault(new Place(Optional.of(service.name()), Optional.of(server),
                OptionalInt.of(port)), 0L).intValue())).collect(Collectors.toMap(Service::key, Function.identity()));
        final var difference = Maps.difference(services, now);
        difference.entriesOnlyOnLeft().keySet().forEach(gone ->
            transaction.delete(LogicalDatastoreType.OPERATIONAL, path(gone)));
        difference.entriesOnlyOnRight().forEach((key, service) ->
            transaction.put(LogicalDatastoreType.OPERATIONAL, path(key), service));
        difference.entriesDiffering().forEach((key, both) ->
            transaction.put(LogicalDatastoreType.OPERATIONAL, path(key), both.rightValue()));
        services = now;
        return !difference.areEqual();
    }

    private static void end(final WriteTransaction transaction) {
        Committed.commit(transaction).whenComplete((written, failure) -> {
            if (failure != null) {
                LOG.warn("the placed flows can't be published", failure);
            }
        });
    }

    private static DataObjectIdentifier<Flow> path(final FlowState flow) {
        return ROOT.toBuilder().child(Flow.class, new FlowKey(Uint64.valueOf(flow.record().id()))).build();
    }

    private static DataObjectIdentifier<Service> path(final ServiceKey service) {
        return ROOT.toBuilder().child(Service.class, service).build();
    }
}

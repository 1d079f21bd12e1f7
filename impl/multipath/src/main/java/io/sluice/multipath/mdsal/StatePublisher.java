// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.PortId;
import io.sluice.mdsal.Commit;
import io.sluice.multipath.engine.FlowCounts.Counted;
import io.sluice.multipath.engine.FlowState;
import io.sluice.multipath.engine.MultipathEngine;
import io.sluice.multipath.engine.Split;
import io.sluice.multipath.steering.FlowRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
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
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.LinkYield;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.LinkYieldKey;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Service;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.ServiceKey;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.SlotSplit;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.SlotSplitKey;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.TransferSplit;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.TransferSplitKey;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows flows, their counts, how busy servers are, and what was measured of transfers and links in the operational
 * datastore; writes what changed since it wrote last, and everything anew if a write has failed.
 */
final class StatePublisher {
    private static final Logger LOG = LoggerFactory.getLogger(StatePublisher.class);
    private static final DataObjectIdentifier<Multipath> ROOT = DataObjectIdentifier.builder(Multipath.class).build();
    private static final DataObjectIdentifier<FlowEvents> EVENTS =
        ROOT.toBuilder().child(FlowEvents.class).build();

    private final DataBroker dataBroker;
    private final PublishedList<Long, Shown, Flow> flows = new PublishedList<>(id ->
        ROOT.toBuilder().child(Flow.class, new FlowKey(Uint64.valueOf(id))).build(),
        shown -> StateCodec.flow(shown.flow(), shown.drainingSince()));
    private final PublishedList<String, Split, TransferSplit> splits = new PublishedList<>(transfer ->
        ROOT.toBuilder().child(TransferSplit.class, new TransferSplitKey(new ObjectName(transfer))).build(),
        SplitCodec::split);
    private final PublishedList<SlotSplitKey, SlotSplit, SlotSplit> slotSplits = new PublishedList<>(key ->
        ROOT.toBuilder().child(SlotSplit.class, key).build(), Function.identity());
    private final PublishedList<PortId, LinkYield, LinkYield> yields = new PublishedList<>(port ->
        ROOT.toBuilder().child(LinkYield.class, new LinkYieldKey(Values.portNumber(port),
            Values.switchId(port.switchId()))).build(), Function.identity());
    private final PublishedList<ServiceKey, Service, Service> services = new PublishedList<>(service ->
        ROOT.toBuilder().child(Service.class, service).build(), Function.identity());
    private Optional<Map<Counted, Long>> counted = Optional.empty();
    /** It is not known what the datastore holds: an earlier owner may have left something, or a write has failed. */
    private final AtomicBoolean unknown = new AtomicBoolean(true);
    /** Of two transactions that overlap the second would be lost. */
    private final AtomicBoolean writing = new AtomicBoolean();

    /** A flow, and when its server was removed or drained. */
    private record Shown(FlowState flow, Optional<Instant> drainingSince) { }

    /** A server of a service. */
    private record Seat(String service, String server) {
        static Optional<Seat> of(final FlowRecord flow) {
            return flow.purpose().service().flatMap(service ->
                flow.purpose().server().map(server -> new Seat(service, server)));
        }
    }

    /** Where flows of a service end. */
    private record Place(Optional<String> service, Optional<String> server, OptionalInt port) {
        static Place of(final FlowRecord flow) {
            return new Place(flow.purpose().service(), flow.purpose().server(), flow.key().targetPort());
        }
    }

    StatePublisher(final DataBroker dataBroker) {
        this.dataBroker = dataBroker;
    }

    /** Writes what has changed, unless the last write is still under way: the next one takes that along. */
    void publish(final MultipathEngine engine, final Map<Counted, Long> totals) {
        if (writing.get()) {
            return;
        }
        final var transaction = dataBroker.newWriteOnlyTransaction();
        boolean changed = clear(transaction);
        changed |= flows.follow(engine.flows().stream().collect(Collectors.toMap(flow -> flow.record().id(), flow ->
            new Shown(flow, engine.drainingSince(flow.record().id())))), transaction);
        changed |= splits.follow(engine.splits().stream()
            .collect(Collectors.toMap(Split::transfer, Function.identity())), transaction);
        changed |= slotSplits.follow(engine.slotSplits().stream().map(SplitCodec::slotSplit)
            .collect(Collectors.toMap(SlotSplit::key, Function.identity())), transaction);
        changed |= yields.follow(engine.yields().entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey,
            link -> SplitCodec.linkYield(link.getKey(), link.getValue()))), transaction);
        changed |= services.follow(services(engine), transaction);
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

    /** Clears what the datastore holds if that is not known; says whether it does. */
    private boolean clear(final WriteTransaction transaction) {
        if (!unknown.compareAndSet(true, false)) {
            return false;
        }
        transaction.put(LogicalDatastoreType.OPERATIONAL, ROOT, new MultipathBuilder().build());
        List.of(flows, splits, slotSplits, yields, services).forEach(PublishedList::forget);
        counted = Optional.empty();
        return true;
    }

    private static Map<ServiceKey, Service> services(final MultipathEngine engine) {
        final var placed = engine.flows().stream().map(FlowState::record).filter(flow -> !flow.key().isSlot())
            .map(Place::of)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        final var draining = new HashMap<Seat, Instant>();
        engine.flows().forEach(flow -> Seat.of(flow.record()).ifPresent(seat ->
            engine.drainingSince(flow.record().id()).ifPresent(since ->
                draining.merge(seat, since, (one, other) -> one.isBefore(other) ? one : other))));
        return engine.config().services().values().stream().map(service -> StateCodec.service(service,
            server -> engine.reportedLoad(service.name(), server),
            server -> Optional.ofNullable(draining.get(new Seat(service.name(), server))),
            (server, port) -> placed.getOrDefault(new Place(Optional.of(service.name()), Optional.of(server),
                OptionalInt.of(port)), 0L).intValue())).collect(Collectors.toMap(Service::key, Function.identity()));
    }

    private void end(final WriteTransaction transaction) {
        writing.set(true);
        Commit.commit(transaction).whenComplete((written, failure) -> {
            if (failure != null) {
                unknown.set(true);
                LOG.warn("the placed flows can't be published", failure);
            }
            writing.set(false);
        });
    }
}

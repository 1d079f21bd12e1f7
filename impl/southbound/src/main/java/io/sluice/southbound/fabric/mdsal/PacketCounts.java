// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import io.sluice.mdsal.DatastoreWrites;
import io.sluice.southbound.fabric.PacketDesk;
import io.sluice.southbound.fabric.PacketDesk.Fate;
import io.sluice.southbound.hosts.HostTable;
import io.sluice.southbound.fabric.RefusalAnswers.Outcome;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.PacketFate;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.AddressEvents;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.AddressEventsBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.RefusalOutcome;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.PacketIns;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.PacketInsBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.Refusals;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.RefusalsBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.packet.ins.PacketIn;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.packet.ins.PacketInBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.refusals.Refusal;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.refusals.RefusalBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PacketCount;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint64;

/**
 * Keeps the operational {@code packet-ins}, {@code refusals} and {@code address-events} up to date; writes only if one
 * of them has changed. All methods run on {@code loop}.
 */
final class PacketCounts implements AutoCloseable {
    private static final DataObjectIdentifier<PacketIns> PATH =
        FabricModels.ROOT.toBuilder().child(PacketIns.class).build();
    private static final DataObjectIdentifier<AddressEvents> EVENTS =
        FabricModels.ROOT.toBuilder().child(AddressEvents.class).build();
    private static final DataObjectIdentifier<Refusals> REFUSALS =
        FabricModels.ROOT.toBuilder().child(Refusals.class).build();
    private static final long PERIOD_S = 5;

    private final DatastoreWrites writes;
    private final PacketDesk desk;
    private final ScheduledExecutorService loop;
    private final ScheduledFuture<?> schedule;
    private Counts published = new Counts(new PacketInsBuilder().build(), new RefusalsBuilder().build(),
        new AddressEventsBuilder().build());

    private record Counts(PacketIns packets, Refusals refusals, AddressEvents addresses) { }

    PacketCounts(final DataBroker dataBroker, final PacketDesk desk, final ScheduledExecutorService loop) {
        writes = new DatastoreWrites(dataBroker, "how many packets ended how", Runnable::run);
        this.desk = desk;
        this.loop = loop;
        schedule = loop.scheduleWithFixedDelay(this::publish, 0, PERIOD_S, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        schedule.cancel(false);
    }

    private void publish() {
        final var present = new Counts(encode(desk.fates()), refusals(desk.refusals()), encode(desk.ignored()));
        if (present.equals(published)) {
            return;
        }
        writes.write(transaction -> {
            transaction.put(LogicalDatastoreType.OPERATIONAL, PATH, present.packets());
            transaction.put(LogicalDatastoreType.OPERATIONAL, REFUSALS, present.refusals());
            transaction.put(LogicalDatastoreType.OPERATIONAL, EVENTS, present.addresses());
        }).thenRunAsync(() -> published = present, loop);
    }

    private static AddressEvents encode(final HostTable.Refusals ignored) {
        return new AddressEventsBuilder().setContested(Uint64.valueOf(ignored.contested()))
            .setDisallowed(Uint64.valueOf(ignored.disallowed())).setUnchecked(Uint64.valueOf(ignored.unchecked()))
            .build();
    }

    private static PacketIns encode(final Map<Fate, Long> fates) {
        return new PacketInsBuilder().setPacketIn(Arrays.stream(Fate.values())
            .map(fate -> encode(fate, fates.getOrDefault(fate, 0L))).collect(BindingMap.toMap())).build();
    }

    private static PacketIn encode(final Fate fate, final long packets) {
        return new PacketInBuilder().setPackets(new PacketCount(Uint64.valueOf(packets))).setFate(switch (fate) {
            case RESOLVED -> PacketFate.Resolved;
            case FIRST -> PacketFate.First;
            case NOT_EDGE -> PacketFate.NotEdge;
            case UNKNOWN_DESTINATION -> PacketFate.UnknownDestination;
            case UNWANTED -> PacketFate.Unwanted;
            case TAGGED -> PacketFate.Tagged;
            case MALFORMED -> PacketFate.Malformed;
        }).build();
    }

    private static Refusals refusals(final Map<Outcome, Long> outcomes) {
        return new RefusalsBuilder().setRefusal(Arrays.stream(Outcome.values())
            .map(outcome -> refusal(outcome, outcomes.getOrDefault(outcome, 0L))).collect(BindingMap.toMap())).build();
    }

    private static Refusal refusal(final Outcome outcome, final long packets) {
        return new RefusalBuilder().setPackets(new PacketCount(Uint64.valueOf(packets))).setOutcome(switch (outcome) {
            case RESET -> RefusalOutcome.Reset;
            case UNREACHABLE -> RefusalOutcome.Unreachable;
            case WITHHELD -> RefusalOutcome.Withheld;
            case UNANSWERABLE -> RefusalOutcome.Unanswerable;
        }).build();
    }
}

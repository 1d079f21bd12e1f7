// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import io.sluice.mdsal.DatastoreWrites;
import io.sluice.southbound.fabric.PacketDesk;
import io.sluice.southbound.fabric.PacketDesk.Fate;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.PacketFate;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.PacketIns;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.PacketInsBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.packet.ins.PacketIn;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.packet.ins.PacketInBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PacketCount;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint64;

/**
 * Keeps the operational {@code packet-ins} up to date; writes only what is not known to stand there. All methods run on
 * {@code loop}.
 */
final class PacketCounts implements AutoCloseable {
    private static final DataObjectIdentifier<PacketIns> PATH =
        FabricModels.ROOT.toBuilder().child(PacketIns.class).build();
    private static final long PERIOD_S = 5;

    private final DatastoreWrites writes;
    private final PacketDesk desk;
    private final ScheduledExecutorService loop;
    private final ScheduledFuture<?> schedule;
    private PacketIns published = new PacketInsBuilder().build();

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
        final var present = encode(desk.fates());
        if (present.equals(published)) {
            return;
        }
        writes.write(transaction -> transaction.put(LogicalDatastoreType.OPERATIONAL, PATH, present))
            .thenRunAsync(() -> published = present, loop);
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
            case MALFORMED -> PacketFate.Malformed;
        }).build();
    }
}

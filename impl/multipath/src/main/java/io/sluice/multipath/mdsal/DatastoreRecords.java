// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.mdsal.DatastoreWrites;
import io.sluice.multipath.engine.RecordStore;
import io.sluice.multipath.steering.DetourRecord;
import io.sluice.multipath.steering.FlowRecord;
import io.sluice.multipath.steering.PathRecord;
import io.sluice.multipath.steering.SteeringRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.MultipathStore;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.Detour;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.DetourKey;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.Flow;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.FlowKey;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.Path;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.PathKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records in the configuration datastore, which survives a restart and is the same on all nodes of a cluster. */
final class DatastoreRecords implements RecordStore {
    private static final Logger LOG = LoggerFactory.getLogger(DatastoreRecords.class);
    private static final int TRIES = 60;
    private static final long PAUSE_S = 2;
    private static final DataObjectIdentifier<MultipathStore> ROOT =
        DataObjectIdentifier.builder(MultipathStore.class).build();

    private final DataBroker dataBroker;
    private final DatastoreWrites writes;

    DatastoreRecords(final DataBroker dataBroker) {
        this.dataBroker = dataBroker;
        writes = new DatastoreWrites(dataBroker, "kept flows", Thread::startVirtualThread);
    }

    /** Tries for two minutes: after a start the datastore may not be there yet. */
    @Override
    public Collection<SteeringRecord> load() {
        for (int tries = 1;; tries++) {
            try {
                return read();
            } catch (ExecutionException e) {
                if (tries == TRIES) {
                    throw new IllegalStateException("the kept flows can't be read; start the controller again", e);
                }
                LOG.warn("the kept flows can't be read yet", e);
                pause();
            }
        }
    }

    private Collection<SteeringRecord> read() throws ExecutionException {
        final List<SteeringRecord> records = new ArrayList<>();
        try (var transaction = dataBroker.newReadOnlyTransaction()) {
            transaction.read(LogicalDatastoreType.CONFIGURATION, ROOT).get().ifPresent(store -> {
                store.nonnullDetour().values().forEach(detour -> records.add(RecordCodec.decode(detour)));
                store.nonnullPath().values().forEach(path -> records.add(RecordCodec.decode(path)));
                store.nonnullFlow().values().forEach(flow -> records.add(RecordCodec.decode(flow)));
            });
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        return records;
    }

    private static void pause() {
        try {
            TimeUnit.SECONDS.sleep(PAUSE_S);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(final InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while reading the kept flows", cause);
    }

    @Override
    public CompletionStage<?> update(final Collection<? extends SteeringRecord> kept,
            final Collection<? extends SteeringRecord> dropped) {
        return writes.write(transaction -> {
            kept.forEach(record -> put(transaction, record));
            dropped.forEach(record -> delete(transaction, record));
        });
    }

    private static void put(final WriteTransaction transaction, final SteeringRecord record) {
        switch (record) {
            case DetourRecord detour -> transaction.put(LogicalDatastoreType.CONFIGURATION, path(detour),
                RecordCodec.encode(detour));
            case PathRecord path -> transaction.put(LogicalDatastoreType.CONFIGURATION, path(path),
                RecordCodec.encode(path));
            case FlowRecord flow -> transaction.put(LogicalDatastoreType.CONFIGURATION, path(flow),
                RecordCodec.encode(flow));
        }
    }

    private static void delete(final WriteTransaction transaction, final SteeringRecord record) {
        transaction.delete(LogicalDatastoreType.CONFIGURATION, switch (record) {
            case DetourRecord detour -> path(detour);
            case PathRecord path -> path(path);
            case FlowRecord flow -> path(flow);
        });
    }

    private static DataObjectIdentifier<Detour> path(final DetourRecord record) {
        return ROOT.toBuilder().child(Detour.class, new DetourKey(RecordCodec.label(record.label()))).build();
    }

    private static DataObjectIdentifier<Path> path(final PathRecord record) {
        return ROOT.toBuilder().child(Path.class, new PathKey(RecordCodec.label(record.label()))).build();
    }

    private static DataObjectIdentifier<Flow> path(final FlowRecord record) {
        return ROOT.toBuilder().child(Flow.class, new FlowKey(Uint64.valueOf(record.id()))).build();
    }
}

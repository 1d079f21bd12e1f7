// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import com.google.common.util.concurrent.FutureCallback;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.SwitchId;
import io.sluice.mdsal.Notifier;
import io.sluice.southbound.fabric.SwitchStates;
import io.sluice.southbound.hosts.HostChange;
import io.sluice.southbound.ovsdb.FailMode;
import io.sluice.southbound.program.SwitchFeatures;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps switches, links and hosts of the operational {@code /sluice-fabric:fabric} up to date, writing what differs
 * only and at most once in {@link #PAUSE_MS}, and has changes told. All methods run on {@code loop}.
 */
final class FabricPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(FabricPublisher.class);
    private static final long PAUSE_MS = 200;

    private final DataBroker dataBroker;
    private final Announcer announcer;
    private final ScheduledExecutorService loop;
    private final Map<DataObjectIdentifier<?>, DataObject> published = new HashMap<>();
    private final SwitchStates states = new SwitchStates();
    private FabricSnapshot latest = FabricSnapshot.EMPTY;
    private boolean started;
    private boolean afresh;
    private boolean writing;
    private boolean changed;

    FabricPublisher(final DataBroker dataBroker, final NotificationPublishService notifications,
            final ScheduledExecutorService loop) {
        this.dataBroker = dataBroker;
        announcer = new Announcer(new Notifier(notifications));
        this.loop = loop;
    }

    /**
     * Begins with {@code snapshot}, which is no news, in place of whatever was published before.
     *
     * @param known switches that were attached in an earlier run
     */
    void start(final FabricSnapshot snapshot, final Set<SwitchId> known) {
        started = true;
        afresh = true;
        announcer.start(snapshot);
        states.restore(known, Instant.now());
        update(snapshot);
    }

    void stop() {
        started = false;
    }

    void update(final FabricSnapshot snapshot) {
        announcer.update(snapshot);
        latest = snapshot;
        states.update(snapshot.switches(), Instant.now());
        publishSoon();
    }

    void learn(final SwitchId switchId, final SwitchFeatures features) {
        states.learn(switchId, features);
        publishSoon();
    }

    void learn(final SwitchId switchId, final FailMode mode) {
        if (states.learn(switchId, mode)) {
            announcer.failMode(switchId, mode);
            publishSoon();
        }
    }

    void forget(final SwitchId switchId) {
        announcer.forgotten(switchId);
        states.forget(switchId);
        publishSoon();
    }

    private void publishSoon() {
        changed = true;
        if (!writing) {
            writing = true;
            write();
        }
    }

    void hostChanged(final HostChange change) {
        announcer.hostChanged(change);
    }

    /** Writes the differences; what comes meanwhile waits for the pause to end. */
    private void write() {
        if (!started) {
            writing = false;
            return;
        }
        if (afresh) {
            clear();
        } else {
            writeDifference();
        }
    }

    /** In a transaction of its own: what is deleted and filled again in one may wedge the datastore (yangtools 14). */
    private void clear() {
        final var transaction = dataBroker.newWriteOnlyTransaction();
        FabricModels.PARTS.forEach(part -> transaction.delete(LogicalDatastoreType.OPERATIONAL, part));
        commit(transaction, () -> {
            published.clear();
            afresh = false;
            write();
        });
    }

    private void writeDifference() {
        changed = false;
        final var wanted = FabricModels.encode(latest, states.states());
        final var transaction = dataBroker.newWriteOnlyTransaction();
        published.keySet().stream().filter(path -> !wanted.containsKey(path))
            .forEach(path -> transaction.delete(LogicalDatastoreType.OPERATIONAL, path));
        wanted.forEach((path, data) -> {
            if (!data.equals(published.get(path))) {
                put(transaction, path, data);
            }
        });
        published.clear();
        published.putAll(wanted);
        commit(transaction, () -> loop.schedule(this::next, PAUSE_MS, TimeUnit.MILLISECONDS));
    }

    private void commit(final WriteTransaction transaction, final Runnable then) {
        transaction.commit().addCallback(new FutureCallback<CommitInfo>() {
            @Override
            public void onSuccess(final CommitInfo info) {
                then.run();
            }

            @Override
            public void onFailure(final Throwable failure) {
                LOG.warn("the fabric could not be published; it is written afresh", failure);
                afresh = true;
                loop.schedule(FabricPublisher.this::write, PAUSE_MS, TimeUnit.MILLISECONDS);
            }
        }, loop);
    }

    private void next() {
        if (changed) {
            write();
        } else {
            writing = false;
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends DataObject> void put(final WriteTransaction transaction,
            final DataObjectIdentifier<T> path, final DataObject data) {
        transaction.put(LogicalDatastoreType.OPERATIONAL, path, (T) data);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import com.google.common.util.concurrent.FutureCallback;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.SwitchStates;
import io.sluice.southbound.hosts.HostChange;
import io.sluice.southbound.ovsdb.FailMode;
import io.sluice.southbound.program.SwitchFeatures;
import java.net.InetAddress;
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
import org.opendaylight.yangtools.binding.Notification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps switches, links and hosts of the operational {@code /sluice-fabric:fabric} up to date, writing what differs
 * only and at most once in {@link #PAUSE_MS}, and tells of changes by notification and log. All methods run on
 * {@code loop}.
 */
final class FabricPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(FabricPublisher.class);
    private static final long PAUSE_MS = 200;

    private final DataBroker dataBroker;
    private final NotificationPublishService notifications;
    private final ScheduledExecutorService loop;
    private final Map<DataObjectIdentifier<?>, DataObject> published = new HashMap<>();
    private final SwitchStates states = new SwitchStates();
    private FabricSnapshot told = FabricSnapshot.EMPTY;
    private FabricSnapshot latest = FabricSnapshot.EMPTY;
    private boolean started;
    private boolean afresh;
    private boolean writing;
    private boolean changed;

    FabricPublisher(final DataBroker dataBroker, final NotificationPublishService notifications,
            final ScheduledExecutorService loop) {
        this.dataBroker = dataBroker;
        this.notifications = notifications;
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
        told = snapshot;
        states.restore(known, Instant.now());
        update(snapshot);
    }

    void stop() {
        started = false;
    }

    void update(final FabricSnapshot snapshot) {
        tell(snapshot);
        latest = snapshot;
        states.update(snapshot.switches(), Instant.now());
        publishSoon();
    }

    void learn(final SwitchId switchId, final SwitchFeatures features) {
        states.learn(switchId, features);
        publishSoon();
    }

    void learn(final SwitchId switchId, final FailMode mode) {
        states.learn(switchId, mode);
        publishSoon();
    }

    void forget(final SwitchId switchId) {
        LOG.info("switch-forgotten switch={}", switchId);
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
        switch (change) {
            case HostChange.Appeared appeared -> {
                LOG.info("host-appeared mac={} port={} addresses={}", appeared.host().mac(),
                    appeared.host().attachment(), addresses(appeared.host()));
                publish(FabricModels.hostChange(appeared.host()));
            }
            case HostChange.Moved moved -> {
                LOG.info("host-moved mac={} from={} port={}", moved.host().mac(), moved.from(),
                    moved.host().attachment());
                publish(FabricModels.hostChange(moved.host()));
            }
            case HostChange.AddressAdded added -> LOG.info("host-address-added mac={} address={}",
                added.host().mac(), added.address().getHostAddress());
            case HostChange.AddressLost lost -> LOG.info("host-address-lost mac={} address={}", lost.host().mac(),
                lost.address().getHostAddress());
            case HostChange.Forgotten forgotten -> LOG.info("host-forgotten mac={} port={}", forgotten.host().mac(),
                forgotten.host().attachment());
        }
    }

    private void tell(final FabricSnapshot snapshot) {
        final var before = cables(told);
        final var after = cables(snapshot);
        before.forEach((cable, link) -> {
            if (!after.containsKey(cable)) {
                LOG.info("link-down link={}", link);
                publish(FabricModels.linkChange(link, false));
            }
        });
        after.forEach((cable, link) -> {
            if (!before.containsKey(cable)) {
                LOG.info("link-up link={}", link);
                publish(FabricModels.linkChange(link, true));
            }
        });
        told = snapshot;
    }

    private record Cable(PortId source, PortId destination) { }

    private static Map<Cable, Link> cables(final FabricSnapshot snapshot) {
        final var cables = new HashMap<Cable, Link>();
        snapshot.links().forEach(link -> cables.put(new Cable(link.source(), link.destination()), link));
        return cables;
    }

    private void publish(final Notification<?> notification) {
        if (notifications.offerNotification(notification) == NotificationPublishService.REJECTED) {
            LOG.warn("notification-lost notification={}", notification);
        }
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

    private static String addresses(final Host host) {
        return host.addresses().stream().map(InetAddress::getHostAddress).sorted().toList().toString();
    }
}

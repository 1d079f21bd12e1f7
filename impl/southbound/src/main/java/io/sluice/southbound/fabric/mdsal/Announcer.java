// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.mdsal.Notifier;
import io.sluice.southbound.hosts.HostChange;
import io.sluice.southbound.ovsdb.FailMode;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.HostChange.Change;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.PortChange.State;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.SwitchChange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells each change of the fabric twice: a notification for programs, a line in the log for people. Links are told down
 * before and up after their ports and switches. Not thread-safe.
 */
final class Announcer {
    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

    private final Notifier notifier;
    private FabricSnapshot told = FabricSnapshot.EMPTY;

    Announcer(final Notifier notifier) {
        this.notifier = notifier;
    }

    /** Begins with {@code snapshot}, which is no news. */
    void start(final FabricSnapshot snapshot) {
        told = snapshot;
    }

    /** Tells how {@code snapshot} differs from the one before, but for hosts. */
    void update(final FabricSnapshot snapshot) {
        without(told.links(), snapshot.links()).forEach(link -> {
            LOG.info("link-down link={}", link);
            notifier.offer(FabricModels.linkChange(link, false));
        });
        without(told.switches(), snapshot.switches()).forEach(switchId -> {
            LOG.info("switch-detached switch={}", switchId);
            notifier.offer(SwitchWords.change(switchId, SwitchChange.Change.Detached));
        });
        without(snapshot.switches(), told.switches()).forEach(switchId -> {
            LOG.info("switch-attached switch={}", switchId);
            notifier.offer(SwitchWords.change(switchId, SwitchChange.Change.Attached));
        });
        updatePorts(snapshot);
        without(snapshot.links(), told.links()).forEach(link -> {
            LOG.info("link-up link={}", link);
            notifier.offer(FabricModels.linkChange(link, true));
        });
        told = snapshot;
    }

    void forgotten(final SwitchId switchId) {
        LOG.info("switch-forgotten switch={}", switchId);
        notifier.offer(SwitchWords.change(switchId, SwitchChange.Change.Forgotten));
    }

    void failMode(final SwitchId switchId, final FailMode mode) {
        LOG.info("switch-fail-mode switch={} mode={}", switchId, mode);
        notifier.offer(SwitchWords.change(switchId, mode));
    }

    void hostChanged(final HostChange change) {
        final var host = change.host();
        switch (change) {
            case HostChange.Appeared appeared -> {
                LOG.info("host-appeared vlan={} mac={} port={} addresses={}", host.vlan(), host.mac(),
                    host.attachment(), addresses(host));
                notifier.offer(FabricModels.hostChange(host, Change.Appeared));
            }
            case HostChange.Moved moved -> {
                LOG.info("host-moved vlan={} mac={} from={} port={}", host.vlan(), host.mac(), moved.from(),
                    host.attachment());
                notifier.offer(FabricModels.hostChange(host, Change.Moved));
            }
            case HostChange.AddressAdded added -> {
                LOG.info("host-address-added vlan={} mac={} address={}", host.vlan(), host.mac(),
                    added.address().getHostAddress());
                notifier.offer(FabricModels.hostChange(host, Change.AddressAdded));
            }
            case HostChange.AddressLost lost -> {
                LOG.info("host-address-lost vlan={} mac={} address={}", host.vlan(), host.mac(),
                    lost.address().getHostAddress());
                notifier.offer(FabricModels.hostChange(host, Change.AddressLost));
            }
            case HostChange.Contested contested -> {
                LOG.warn("address-conflict vlan={} address={} owner={} claimant={} port={} reason=owner-answers",
                    host.vlan(), contested.address().getHostAddress(), host.mac(), contested.claimant(),
                    contested.at());
                notifier.offer(FabricModels.addressConflict(contested));
            }
            case HostChange.Disallowed disallowed -> {
                LOG.warn("address-conflict vlan={} address={} claimant={} port={} reason=not-allowed", host.vlan(),
                    disallowed.address().getHostAddress(), host.mac(), host.attachment());
                notifier.offer(FabricModels.addressConflict(disallowed));
            }
            case HostChange.Forgotten forgotten -> {
                LOG.info("host-forgotten vlan={} mac={} port={}", host.vlan(), host.mac(), host.attachment());
                notifier.offer(FabricModels.hostChange(host, Change.Forgotten));
            }
        }
    }

    private void updatePorts(final FabricSnapshot snapshot) {
        final var ports = new TreeSet<>(told.ports().keySet());
        ports.addAll(snapshot.ports().keySet());
        ports.forEach(id -> {
            final var state = state(snapshot, id);
            if (state != state(told, id)) {
                final var name = (state == State.Gone ? told : snapshot).ports().get(id).name();
                LOG.info("port-{} port={} name={}", state.getName(), id, name);
                notifier.offer(FabricModels.portChange(id, name, state));
            }
        });
    }

    private static State state(final FabricSnapshot snapshot, final PortId id) {
        final var port = snapshot.ports().get(id);
        if (port == null) {
            return State.Gone;
        }
        return port.up() ? State.Up : State.Down;
    }

    /** Those of {@code all} that are not in {@code others}; links are told apart by their ends, not by their rates. */
    private static <T extends Comparable<T>> Set<T> without(final Collection<T> all, final Collection<T> others) {
        final var rest = new TreeSet<>(all);
        others.forEach(rest::remove);
        return rest;
    }

    private static String addresses(final Host host) {
        return host.addresses().stream().map(InetAddress::getHostAddress).sorted().toList().toString();
    }
}

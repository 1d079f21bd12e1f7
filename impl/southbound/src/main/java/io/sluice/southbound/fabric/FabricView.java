// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts the fabric's snapshots together from what the edge reports. Thread-safe: everything happens on one loop; reports
 * that queue up there make one snapshot.
 */
public final class FabricView implements Fabric {
    private final Executor loop;
    private final Subscribers<FabricSnapshot> subscribers = new Subscribers<>();
    private final Set<SwitchId> switches = new HashSet<>();
    private final Map<PortId, PortStatus> ports = new HashMap<>();
    /** What discovery knows, from source to destination, whether the ports are up or not. */
    private final Map<PortId, PortId> discovered = new HashMap<>();
    private Map<PortId, PortSettings> settings = Map.of();
    private boolean configured;
    private final Map<PortId, PortRates> rates = new HashMap<>();
    private List<Host> hosts = List.of();
    private long version;
    private boolean publishing;
    private volatile FabricSnapshot snapshot = FabricSnapshot.EMPTY;
    private volatile Set<PortId> innerPorts = Set.of();
    private volatile Map<PortId, Set<InetAddress>> allowedAddresses = Map.of();
    private volatile Map<PortId, Set<Integer>> vlans = Map.of();

    /**
     * Starts with an empty network.
     *
     * @param loop runs one task at a time, in order
     */
    public FabricView(final Executor loop) {
        this.loop = loop;
    }

    @Override
    public FabricSnapshot snapshot() {
        return snapshot;
    }

    @Override
    public Subscription subscribe(final Consumer<FabricSnapshot> listener) {
        return subscribers.add(listener);
    }

    /** Returns the ports that discovery saw a link at, whether they are up or not. */
    public Set<PortId> innerPorts() {
        return innerPorts;
    }

    /** Returns the only addresses that hosts may have at a port, of the ports that the operator bound. */
    public Map<PortId, Set<InetAddress>> allowedAddresses() {
        return allowedAddresses;
    }

    /** Returns the VLANs that the operator lists for a port, of the ports that have any. */
    public Map<PortId, Set<Integer>> vlans() {
        return vlans;
    }

    /** Takes a switch that has attached, or one that is attached already. */
    public void attached(final SwitchId switchId) {
        change(() -> switches.add(switchId));
    }

    /** Lets go of a switch; its ports are reported gone one by one, before or after. */
    public void detached(final SwitchId switchId) {
        change(() -> switches.remove(switchId));
    }

    /** Takes a port that is new or has changed. */
    public void portSeen(final PortStatus port) {
        change(() -> !port.equals(ports.put(port.id(), port)));
    }

    /** Forgets a port that its switch no longer has. */
    public void portGone(final PortId port) {
        change(() -> {
            rates.remove(port);
            return ports.remove(port) != null;
        });
    }

    /** Takes a link that discovery found. */
    public void linkFound(final PortId source, final PortId destination) {
        change(() -> !destination.equals(discovered.put(source, destination)));
    }

    /**
     * Whether discovery has no link from a port, though it and the one where it should end are up; to be called on the
     * loop. Where several switches share a wire, which of them is the end is discovery's to say.
     */
    public boolean isMissing(final PortId source, final PortId destination) {
        return !discovered.containsKey(source) && isUp(source) && isUp(destination);
    }

    /** Forgets a link that discovery has given up. */
    public void linkLost(final PortId source) {
        change(() -> discovered.remove(source) != null);
    }

    /** Takes the operator's settings of ports, in place of those before. */
    public void settings(final Map<PortId, PortSettings> operator) {
        change(() -> {
            configured = true;
            final boolean changed = !operator.equals(settings);
            settings = Map.copyOf(operator);
            allowedAddresses = sets(PortSettings::allowedAddresses);
            vlans = sets(PortSettings::vlans);
            return changed;
        });
    }

    /** Takes what was read of the settings, unless they were reported by then. */
    public void settingsRead(final Map<PortId, PortSettings> operator) {
        loop.execute(() -> {
            if (!configured) {
                settings(operator);
            }
        });
    }

    /** Returns the settings of a kind, of the ports that have any. */
    private <T> Map<PortId, Set<T>> sets(final Function<PortSettings, Set<T>> kind) {
        return settings.entrySet().stream().filter(port -> !kind.apply(port.getValue()).isEmpty())
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, port -> kind.apply(port.getValue())));
    }

    /** Takes the hosts, in place of those before. */
    public void hosts(final List<Host> seen) {
        change(() -> {
            final boolean changed = !seen.equals(hosts);
            hosts = List.copyOf(seen);
            return changed;
        });
    }

    /** Takes new rates of some ports. */
    public void rates(final Map<PortId, PortRates> measured) {
        loop.execute(() -> {
            rates.putAll(measured);
            publishLater();
        });
    }

    /** Runs a report on the loop; it returns whether it changed what a version stands for. */
    private void change(final BooleanSupplier report) {
        loop.execute(() -> {
            if (report.getAsBoolean()) {
                version++;
                publishLater();
            }
        });
    }

    private void publishLater() {
        if (!publishing) {
            publishing = true;
            loop.execute(this::publish);
        }
    }

    private void publish() {
        publishing = false;
        final var current = new HashMap<PortId, Port>();
        for (var status : ports.values()) {
            if (switches.contains(status.id().switchId())) {
                current.put(status.id(), describe(status));
            }
        }
        final var links = discovered.entrySet().stream()
            .map(link -> link(current.get(link.getKey()), current.get(link.getValue())))
            .filter(Objects::nonNull).toList();
        final var inner = new HashSet<>(discovered.keySet());
        inner.addAll(discovered.values());
        innerPorts = Set.copyOf(inner);
        snapshot = new FabricSnapshot(version, switches, current, links, hosts);
        subscribers.tell(snapshot);
    }

    private Port describe(final PortStatus status) {
        final var rate = rates.getOrDefault(status.id(), PortRates.ZERO);
        return new Port(status.id(), status.name(), status.up(),
            settingsOf(status.id()).capacity().orElse(status.speed()), rate.received(), rate.sent());
    }

    /** Null unless both ends are there and up. */
    private Link link(final Port source, final Port destination) {
        if (source == null || destination == null || !source.up() || !destination.up()) {
            return null;
        }
        final var groups = Stream.of(source, destination)
            .flatMap(end -> settingsOf(end.id()).sharedRiskGroups().stream()).collect(Collectors.toUnmodifiableSet());
        return new Link(source.id(), destination.id(), source.capacity(), source.sent(), groups);
    }

    private PortSettings settingsOf(final PortId port) {
        return settings.getOrDefault(port, PortSettings.NONE);
    }

    private boolean isUp(final PortId id) {
        final var port = ports.get(id);
        return port != null && port.up();
    }
}

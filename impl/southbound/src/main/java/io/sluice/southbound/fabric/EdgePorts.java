// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which ports lead to hosts. Discovery needs a moment to find a link, so that a port counts as an edge port only after
 * it has been up for {@link #QUIET_NS} with no link found: otherwise hosts would be learned at, and questions sent out
 * of, ports inside the fabric. A port where a host was known before the controller or the switch started again counts
 * at once.
 *
 * <p>A port where packets may be dropped for it has to be silent for longer, {@link #SILENT_NS} in all, so that one
 * that goes up and down is not spared; what it was silent for counts until a link is found there or its switch
 * detaches. Not thread-safe.
 */
public final class EdgePorts {
    /** Three rounds of discovery. */
    public static final long QUIET_NS = 3_000_000_000L;

    /** A controller that has just started finds its links again by then. */
    public static final long SILENT_NS = 60_000_000_000L;

    private final Map<PortId, Long> quietSinceNs = new HashMap<>();
    /** How long ports were quiet before they were down. */
    private final Map<PortId, Long> quietBeforeNs = new HashMap<>();

    /** Takes the state of the fabric; {@code inner} are ports that discovery saw a link at, up or not. */
    public void update(final FabricSnapshot snapshot, final Set<PortId> inner, final long nowNs) {
        final var quiet = snapshot.ports().values().stream().filter(Port::up).map(Port::id)
            .filter(port -> !inner.contains(port)).collect(Collectors.toSet());
        quietSinceNs.forEach((port, sinceNs) -> {
            if (!quiet.contains(port)) {
                quietBeforeNs.merge(port, nowNs - sinceNs, Long::sum);
            }
        });
        quietBeforeNs.keySet().removeIf(port ->
            inner.contains(port) || !snapshot.switches().contains(port.switchId()));
        quietSinceNs.keySet().retainAll(quiet);
        quiet.forEach(port -> quietSinceNs.putIfAbsent(port, nowNs));
        snapshot.hosts().stream().map(Host::attachment).filter(quiet::contains)
            .forEach(port -> quietSinceNs.merge(port, nowNs - QUIET_NS, Math::min));
    }

    /** Returns the edge ports. */
    public Set<PortId> at(final long nowNs) {
        return quietSinceNs.entrySet().stream().filter(port -> nowNs - port.getValue() >= QUIET_NS)
            .map(Map.Entry::getKey).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the silent ports, of those that are up. */
    public Set<PortId> silentAt(final long nowNs) {
        return quietSinceNs.entrySet().stream().filter(port ->
            nowNs - port.getValue() + quietBeforeNs.getOrDefault(port.getKey(), 0L) >= SILENT_NS)
            .map(Map.Entry::getKey).collect(Collectors.toUnmodifiableSet());
    }

    /** Numbers of {@code ports}, by switch. */
    static Map<SwitchId, Set<Long>> bySwitch(final Stream<PortId> ports) {
        return ports.collect(Collectors.groupingBy(PortId::switchId,
            Collectors.mapping(PortId::number, Collectors.toSet())));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The untagged hosts and those of each VLAN, which have nothing in common: a {@link HostWatch} for each, that sees only
 * the ports that list its VLAN ({@link Edge#in}). Equal addresses live side by side.
 *
 * <p>All times are of one monotonic clock, in nanoseconds. Not thread-safe.
 */
public final class VlanHosts {
    private final TreeMap<Integer, HostWatch> watches = new TreeMap<>();

    /** Begins without hosts. */
    public VlanHosts() {
        of(FlowMatch.UNTAGGED);
    }

    /** Returns what watches the hosts of {@code vlan}. */
    public HostWatch of(final int vlan) {
        return watches.computeIfAbsent(vlan, tag -> new HostWatch(tag, this::size));
    }

    /** All hosts, by VLAN, and then in the order in which they appeared. */
    public List<Host> hosts() {
        return watches.values().stream().flatMap(watch -> watch.hosts().hosts().stream()).toList();
    }

    /** Takes over hosts that were known before a restart. */
    public void restore(final Collection<Host> remembered, final long nowNs) {
        remembered.stream().collect(Collectors.groupingBy(Host::vlan)).forEach((vlan, hosts) ->
            of(vlan).hosts().restore(hosts, nowNs));
    }

    /** Does what {@link HostTable#settle} says; hosts at a port that no longer lists their VLAN are forgotten. */
    public List<HostChange> settle(final Set<PortId> up, final Set<PortId> inner, final Edge edge, final long nowNs) {
        final var changes = new ArrayList<HostChange>();
        watches.forEach((vlan, watch) -> {
            final var closed = new HashSet<>(inner);
            if (vlan != FlowMatch.UNTAGGED) {
                watch.hosts().hosts().stream().map(Host::attachment).filter(port -> !edge.lists(port, vlan))
                    .forEach(closed::add);
            }
            changes.addAll(watch.hosts().settle(up, closed, nowNs));
        });
        return changes;
    }

    /** Forgets the hosts of a switch that is forgotten. */
    public List<HostChange> forget(final SwitchId switchId, final long nowNs) {
        return watches.values().stream().flatMap(watch -> watch.hosts().forget(switchId, nowNs).stream()).toList();
    }

    /** Searches for the hosts that are missed, of those that are {@code sought}; to be called about once a second. */
    public void search(final Predicate<Host> sought, final long nowNs) {
        watches.values().forEach(watch ->
            watch.search(watch.hosts().missed().stream().filter(sought).toList(), nowNs));
    }

    /** Does what {@link HostWatch#greet} says, in each VLAN at the ports that list it. */
    public List<PacketOut> greet(final Set<PortId> fresh, final Edge edge, final long nowNs) {
        return watches.entrySet().stream().flatMap(watch -> watch.getValue().greet(fresh.stream()
            .filter(port -> edge.lists(port, watch.getKey())).collect(Collectors.toSet()), nowNs).stream()).toList();
    }

    /** Does what is due in all VLANs. */
    public HostWatch.Turn turn(final Edge edge, final long nowNs) {
        final var turns = watches.entrySet().stream()
            .map(watch -> watch.getValue().turn(edge.in(watch.getKey()), nowNs)).toList();
        final var next = turns.stream().map(HostWatch.Turn::nextNs).filter(OptionalLong::isPresent)
            .mapToLong(OptionalLong::getAsLong).min();
        return new HostWatch.Turn(all(turns, HostWatch.Turn::changes), all(turns, HostWatch.Turn::packets), next);
    }

    /** How many sightings of hosts changed nothing, and why. */
    public HostTable.Refusals refusals() {
        return watches.values().stream().map(watch -> watch.hosts().refusals()).reduce(HostTable.Refusals::plus)
            .orElseThrow();
    }

    private int size() {
        return watches.values().stream().mapToInt(watch -> watch.hosts().size()).sum();
    }

    private static <T> List<T> all(final List<HostWatch.Turn> turns, final Function<HostWatch.Turn, List<T>> part) {
        return turns.stream().map(part).flatMap(List::stream).toList();
    }
}

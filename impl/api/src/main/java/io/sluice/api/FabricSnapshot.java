// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the network looked like at one moment. Immutable; a later state is a later snapshot.
 *
 * @param version grows with each change of topology or hosts, not with rates
 * @param switches switches that are attached now
 * @param ports of the attached switches, by id
 * @param links directed; only links whose two ports are up
 * @param hosts seen at edge ports, untagged ones and those of VLANs
 */
public record FabricSnapshot(long version, Set<SwitchId> switches, Map<PortId, Port> ports, List<Link> links,
        List<Host> hosts) {
    public static final FabricSnapshot EMPTY = new FabricSnapshot(0, Set.of(), Map.of(), List.of(), List.of());

    public FabricSnapshot {
        switches = Set.copyOf(switches);
        ports = Map.copyOf(ports);
        links = links.stream().sorted().toList();
        hosts = List.copyOf(hosts);
    }

    /** Returns the untagged host that uses {@code address}. */
    public Optional<Host> host(final InetAddress address) {
        return host(FlowMatch.UNTAGGED, address);
    }

    /** Returns the host of {@code vlan} that uses {@code address}. */
    public Optional<Host> host(final int vlan, final InetAddress address) {
        return hosts(vlan).filter(host -> host.addresses().contains(address)).findFirst();
    }

    /** Returns the hosts of {@code vlan}. */
    public Stream<Host> hosts(final int vlan) {
        return hosts.stream().filter(host -> host.vlan() == vlan);
    }

    /** Returns the switch that each untagged host's address is behind. */
    public Map<InetAddress, SwitchId> places() {
        return places(FlowMatch.UNTAGGED);
    }

    /** Returns the switch that each address of {@code vlan} is behind. */
    public Map<InetAddress, SwitchId> places(final int vlan) {
        final var places = new HashMap<InetAddress, SwitchId>();
        hosts(vlan).forEach(host -> host.addresses().forEach(address ->
            places.put(address, host.attachment().switchId())));
        return places;
    }

    /** Returns the link that leaves by {@code port}. */
    public Optional<Link> linkFrom(final PortId port) {
        return links.stream().filter(link -> link.source().equals(port)).findFirst();
    }

    /** Returns the ports that are up and lead to no switch. */
    public Collection<Port> edgePorts() {
        final var inner = new HashSet<PortId>();
        links.forEach(link -> {
            inner.add(link.source());
            inner.add(link.destination());
        });
        return ports.values().stream().filter(port -> port.up() && !inner.contains(port.id())).toList();
    }
}

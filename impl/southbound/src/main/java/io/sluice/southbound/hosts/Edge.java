// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.FlowMatch;
import io.sluice.api.PortId;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rim of the fabric at one moment.
 *
 * @param ports ports that are up and lead to no switch
 * @param owned addresses that belong to no host and for which the fabric answers
 * @param allowed the only addresses that hosts may have at a port; a port that is not listed allows all
 * @param vlans that a port lists; a port without is for untagged hosts alone
 */
public record Edge(Set<PortId> ports, Set<InetAddress> owned, Map<PortId, Set<InetAddress>> allowed,
        Map<PortId, Set<Integer>> vlans) {
    public Edge {
        ports = Set.copyOf(ports);
        owned = Set.copyOf(owned);
        allowed = Map.copyOf(allowed);
        vlans = Map.copyOf(vlans);
    }

    /** A rim of untagged hosts. */
    public Edge(final Set<PortId> ports, final Set<InetAddress> owned, final Map<PortId, Set<InetAddress>> allowed) {
        this(ports, owned, allowed, Map.of());
    }

    /** A rim whose ports allow all addresses. */
    public Edge(final Set<PortId> ports, final Set<InetAddress> owned) {
        this(ports, owned, Map.of());
    }

    /** Returns the rim as the hosts of {@code vlan} see it; services are for untagged hosts. */
    public Edge in(final int vlan) {
        return vlan == FlowMatch.UNTAGGED ? this : new Edge(ports.stream().filter(port -> lists(port, vlan))
            .collect(Collectors.toUnmodifiableSet()), Set.of(), allowed, vlans);
    }

    /** True if hosts of {@code vlan} may be at {@code port}; untagged ones may be at any. */
    public boolean lists(final PortId port, final int vlan) {
        return vlan == FlowMatch.UNTAGGED || vlans.getOrDefault(port, Set.of()).contains(vlan);
    }

    boolean allows(final PortId port, final InetAddress address) {
        final var only = allowed.get(port);
        return only == null || only.contains(address);
    }

    /** True for the addresses of services and for the fabric's own. */
    boolean owns(final InetAddress address) {
        return FabricAddress.LINK_LOCAL.equals(address) || owned.contains(address);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.PortId;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;

/**
 * The rim of the fabric at one moment.
 *
 * @param ports ports that are up and lead to no switch
 * @param owned addresses that belong to no host and for which the fabric answers
 * @param allowed the only addresses that hosts may have at a port; a port that is not listed allows all
 */
public record Edge(Set<PortId> ports, Set<InetAddress> owned, Map<PortId, Set<InetAddress>> allowed) {
    public Edge {
        ports = Set.copyOf(ports);
        owned = Set.copyOf(owned);
        allowed = Map.copyOf(allowed);
    }

    /** A rim whose ports allow all addresses. */
    public Edge(final Set<PortId> ports, final Set<InetAddress> owned) {
        this(ports, owned, Map.of());
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

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.PortId;
import java.net.InetAddress;
import java.util.Set;

/**
 * The rim of the fabric at one moment.
 *
 * @param ports ports that are up and lead to no switch
 * @param owned addresses that belong to no host and for which the fabric answers
 */
public record Edge(Set<PortId> ports, Set<InetAddress> owned) {
    public Edge {
        ports = Set.copyOf(ports);
        owned = Set.copyOf(owned);
    }

    /** True for the addresses of services and for the fabric's own. */
    boolean owns(final InetAddress address) {
        return FabricAddress.LINK_LOCAL.equals(address) || owned.contains(address);
    }
}

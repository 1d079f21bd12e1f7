// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Bandwidth;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;

/**
 * What the operator says of a port.
 *
 * @param capacity per direction; without it the speed that the switch reports counts
 * @param sharedRiskGroups that the cable at the port is in, beside those set at its other end
 * @param allowedAddresses the only IP addresses that hosts may have there; all if empty
 * @param vlans whose frames hosts there may send and get
 */
public record PortSettings(Optional<Bandwidth> capacity, Set<Long> sharedRiskGroups,
        Set<InetAddress> allowedAddresses, Set<Integer> vlans) {
    static final PortSettings NONE = new PortSettings(Optional.empty(), Set.of(), Set.of(), Set.of());

    public PortSettings {
        sharedRiskGroups = Set.copyOf(sharedRiskGroups);
        allowedAddresses = Set.copyOf(allowedAddresses);
        vlans = Set.copyOf(vlans);
    }
}

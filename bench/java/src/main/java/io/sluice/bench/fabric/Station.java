// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import java.net.InetAddress;
import java.util.List;

/**
 * A host, at a port that it never leaves.
 *
 * @param number from 0
 * @param own addresses that it always has
 */
record Station(int number, MacAddress mac, PortId port, List<InetAddress> own) {
    Station {
        own = List.copyOf(own);
    }

    /** Returns an own address of the family of {@code other}. */
    InetAddress like(final InetAddress other) {
        return own.stream().filter(address -> address.getClass() == other.getClass()).findFirst().orElseThrow();
    }

    @Override
    public String toString() {
        return "h" + (number + 1) + "@" + port;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.InetAddress;
import java.util.Set;

/** A host seen at an edge port, with the IPv4 and IPv6 addresses it used. */
public record Host(MacAddress mac, Set<InetAddress> addresses, PortId attachment) {
    public Host {
        addresses = Set.copyOf(addresses);
    }
}

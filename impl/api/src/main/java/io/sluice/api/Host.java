// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.InetAddress;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** A host seen at an edge port, with the IPv4 and IPv6 addresses it used; those stay in their order. */
public record Host(MacAddress mac, Set<InetAddress> addresses, PortId attachment) {
    public Host {
        addresses = Collections.unmodifiableSet(new LinkedHashSet<>(addresses));
    }
}

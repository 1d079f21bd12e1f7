// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.InetAddress;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A host seen at an edge port, with the IPv4 and IPv6 addresses it used; those stay in their order.
 *
 * @param vlan identifier of the VLAN that its frames are tagged with, 1..{@link FlowMatch#MAX_VLAN}, or
 *     {@link FlowMatch#UNTAGGED}; equal addresses in two VLANs are two hosts
 */
public record Host(int vlan, MacAddress mac, Set<InetAddress> addresses, PortId attachment) {
    public Host {
        FlowMatch.requireVlan(vlan);
        addresses = Collections.unmodifiableSet(new LinkedHashSet<>(addresses));
    }

    /** An untagged host. */
    public Host(final MacAddress mac, final Set<InetAddress> addresses, final PortId attachment) {
        this(FlowMatch.UNTAGGED, mac, addresses, attachment);
    }

    /** The name of a host: no two have the same. */
    public record Id(int vlan, MacAddress mac) implements Comparable<Id> {
        private static final Comparator<Id> ORDER = Comparator.comparingInt(Id::vlan)
            .thenComparingLong(id -> id.mac().value());

        @Override
        public int compareTo(final Id other) {
            return ORDER.compare(this, other);
        }
    }

    /** Returns its name. */
    public Id id() {
        return new Id(vlan, mac);
    }
}

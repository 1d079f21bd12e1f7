// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the fabric remembers over a restart: which objects declare what, which ports take no labels, which hosts there
 * are and whom they know. Calls return at once; what is written last is what is read later.
 */
public interface Memory {
    /**
     * What a switch's base follows from.
     *
     * @param object that declares it
     * @param closed numbers of the ports that take no labels whether or not a host is known there
     * @param inner numbers of the ports where a link was found, and no host since then
     */
    record Base(long object, Set<Long> closed, Set<Long> inner) {
        public Base {
            closed = Set.copyOf(closed);
            inner = Set.copyOf(inner);
        }
    }

    /** Where an address is, and the object that declares the answer to a host that asks for it. */
    record Whereabouts(MacAddress mac, long object) { }

    /**
     * A host and the object that declares its delivery.
     *
     * @param acquaintances addresses that it has asked for, and where these are; they stay in their order
     */
    record Known(Host host, long object, Map<InetAddress, Whereabouts> acquaintances) {
        public Known {
            acquaintances = Collections.unmodifiableMap(new LinkedHashMap<>(acquaintances));
        }
    }

    /** Everything that was remembered. */
    record Contents(Map<SwitchId, Base> switches, Map<Host.Id, Known> hosts) {
        public Contents {
            switches = Map.copyOf(switches);
            hosts = Map.copyOf(hosts);
        }
    }

    /** Remembers a switch, in place of what was known of it. */
    void remember(SwitchId switchId, Base base);

    /** Remembers a host, in place of what was known of it. */
    void remember(Known host);

    void forget(Host.Id host);

    void forget(SwitchId switchId);
}

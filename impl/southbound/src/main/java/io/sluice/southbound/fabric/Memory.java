// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.util.Map;

/**
 * What the fabric remembers over a restart: which object declares a switch's base, which hosts there are and which
 * objects deliver to them. Calls return at once; what is written last is what is read later.
 */
public interface Memory {
    /**
     * A host and the object that declares its delivery.
     *
     * @param acquaintances IPv4 addresses that it has asked for, and where these are
     */
    record Known(Host host, long object, Map<InetAddress, MacAddress> acquaintances) {
        public Known {
            acquaintances = Map.copyOf(acquaintances);
        }
    }

    /**
     * Everything that was remembered.
     *
     * @param switches objects by switch
     */
    record Contents(Map<SwitchId, Long> switches, Map<MacAddress, Known> hosts) {
        public Contents {
            switches = Map.copyOf(switches);
            hosts = Map.copyOf(hosts);
        }
    }

    void remember(SwitchId switchId, long object);

    /** Remembers a host, in place of what was known of it. */
    void remember(Known host);

    void forget(MacAddress host);

    void forget(SwitchId switchId);
}

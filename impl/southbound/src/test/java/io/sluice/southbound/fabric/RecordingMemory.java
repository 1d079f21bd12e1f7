// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.SwitchId;
import java.util.HashMap;
import java.util.Map;

/** What the fabric remembers, for a test to look at. */
final class RecordingMemory implements Memory {
    final Map<SwitchId, Base> switches = new HashMap<>();
    final Map<Host.Id, Known> hosts = new HashMap<>();

    Known untagged(final MacAddress mac) {
        return hosts.get(new Host.Id(FlowMatch.UNTAGGED, mac));
    }

    @Override
    public void remember(final SwitchId switchId, final Base base) {
        switches.put(switchId, base);
    }

    @Override
    public void remember(final Known host) {
        hosts.put(host.host().id(), host);
    }

    @Override
    public void forget(final Host.Id host) {
        hosts.remove(host);
    }

    @Override
    public void forget(final SwitchId switchId) {
        switches.remove(switchId);
    }
}

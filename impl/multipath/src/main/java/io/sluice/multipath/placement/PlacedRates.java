// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.multipath.placement.FairShares.Channel;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Max-min rates of the placed flows of one world, a few of them at a time. */
public final class PlacedRates {
    private final FairShares shares;
    private final Map<Long, Channel> channels = new HashMap<>();

    public PlacedRates(final World world) {
        shares = world.shares();
        world.flows().forEach(flow -> channels.put(flow.id(), shares.channel(flow)));
    }

    /**
     * What flows would get if they wanted what their limits say, all others wanting what they do; zero for one that
     * nothing limits. Flows that are not placed are left out.
     */
    public Map<Long, Bandwidth> wanting(final Collection<FlowView> flows) {
        final var wanting = new HashMap<Long, Channel>();
        flows.stream().filter(flow -> channels.containsKey(flow.id())).forEach(flow -> wanting.put(flow.id(),
            shares.channel(flow)));
        wanting.forEach((id, channel) -> swap(channels.get(id), channel));
        final var filled = shares.fill(wanting.values());
        wanting.forEach((id, channel) -> swap(channel, channels.get(id)));
        final var rates = new HashMap<Long, Bandwidth>();
        wanting.forEach((id, channel) -> rates.put(id, Placer.rate(filled.get(channel).rate())));
        return rates;
    }

    private void swap(final Channel from, final Channel to) {
        shares.remove(from);
        shares.add(to);
    }
}

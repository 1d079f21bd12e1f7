// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Max-min rates of the placed flows of one world, a few of them at a time. */
public final class PlacedRates {
    private final FairShares shares;
    private final Map<Long, Integer> positions = new HashMap<>();

    public PlacedRates(final World world) {
        shares = new FairShares(world);
        world.flows().forEach(flow -> positions.put(flow.id(), positions.size()));
    }

    /**
     * What flows would get if they wanted what their limits say, all others wanting what they do; zero for one that
     * nothing limits. Flows that are not placed are left out.
     */
    public Map<Long, Bandwidth> wanting(final Collection<FlowView> flows) {
        final var placed = flows.stream().filter(flow -> positions.containsKey(flow.id())).toList();
        final var filled = shares.fill(placed.stream().mapToInt(flow -> positions.get(flow.id())).toArray(),
            placed.stream().map(FlowView::limit).toList());
        final var rates = new HashMap<Long, Bandwidth>();
        for (int i = 0; i < placed.size(); i++) {
            rates.put(placed.get(i).id(), Placer.rate(filled.get(i).rate()));
        }
        return rates;
    }
}

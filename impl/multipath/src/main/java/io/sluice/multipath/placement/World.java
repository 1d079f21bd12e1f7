// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.PortId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a choice is based on; a value. */
public final class World {
    private final FabricSnapshot fabric;
    private final List<FlowView> flows;
    private final Map<PortId, Bandwidth> background;
    /** What the flows get, once it was asked for. */
    private Optional<FairShares> shares;

    /**
     * A world.
     *
     * @param flows the placed flows
     * @param background what links carry beyond these flows, by the port that a link leaves
     */
    public World(final FabricSnapshot fabric, final List<FlowView> flows, final Map<PortId, Bandwidth> background) {
        this(fabric, List.copyOf(flows), Map.copyOf(background), Optional.empty());
    }

    private World(final FabricSnapshot fabric, final List<FlowView> flows, final Map<PortId, Bandwidth> background,
            final Optional<FairShares> shares) {
        this.fabric = fabric;
        this.flows = flows;
        this.background = background;
        this.shares = shares;
    }

    public FabricSnapshot fabric() {
        return fabric;
    }

    public List<FlowView> flows() {
        return flows;
    }

    public Map<PortId, Bandwidth> background() {
        return background;
    }

    /** The same with other flows in place of some; what any of these carry is no part of the background. */
    public World replacing(final Set<Long> ids, final List<FlowView> others) {
        final var parts = flows.stream().collect(Collectors.partitioningBy(flow -> ids.contains(flow.id())));
        return new World(fabric, Stream.concat(parts.get(false).stream(), others.stream()).toList(), background,
            known().map(before -> {
                final var after = new FairShares(before);
                parts.get(true).forEach(flow -> after.remove(after.channel(flow)));
                others.forEach(flow -> after.add(after.channel(flow)));
                return after;
            }));
    }

    /** What the flows get, to be tried out with others. */
    FairShares shares() {
        return new FairShares(known().orElseGet(this::computed));
    }

    private synchronized Optional<FairShares> known() {
        return shares;
    }

    private synchronized FairShares computed() {
        final var all = new FairShares(fabric, background);
        flows.forEach(flow -> all.add(all.channel(flow)));
        shares = Optional.of(all);
        return all;
    }
}

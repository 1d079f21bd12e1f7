// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.PortId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a choice is based on.
 *
 * @param flows the placed flows
 * @param background what links carry beyond these flows, by the port that a link leaves
 */
public record World(FabricSnapshot fabric, List<FlowView> flows, Map<PortId, Bandwidth> background) {
    public World {
        flows = List.copyOf(flows);
        background = Map.copyOf(background);
    }

    /** The same with a flow that carries nothing yet. */
    public World with(final FlowView flow) {
        return new World(fabric, Stream.concat(flows.stream(), Stream.of(flow)).toList(), background);
    }
}

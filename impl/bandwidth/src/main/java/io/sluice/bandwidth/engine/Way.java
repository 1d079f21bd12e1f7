// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.PortId;
import io.sluice.bandwidth.PathShare;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How a flow passes the network. */
sealed interface Way {
    /**
     * It is known.
     *
     * @param ingress port of its source
     * @param egresses ports by which it leaves that switch, with the part that goes by each
     * @param ports by which it leaves any switch
     */
    record Known(PortId ingress, Map<PortId, Long> egresses, Set<PortId> ports, List<PathShare> paths) implements Way {
        public Known {
            egresses = Map.copyOf(egresses);
            ports = Set.copyOf(ports);
            paths = List.copyOf(paths);
        }

        /** The part of the flow that passes each link. */
        Map<String, Double> parts() {
            return PathShare.parts(paths);
        }
    }

    /** It is not known. */
    record Unknown(String reason) implements Way { }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.PortId;
import io.sluice.bandwidth.PathShare;
import java.util.List;
import java.util.Map;

/** How a flow passes the network. */
sealed interface Way {
    /**
     * It is known.
     *
     * @param ingress port of its source
     * @param egresses ports by which it leaves that switch, with the part that goes by each
     */
    record Known(PortId ingress, Map<PortId, Long> egresses, List<PathShare> paths) implements Way {
        public Known {
            egresses = Map.copyOf(egresses);
            paths = List.copyOf(paths);
        }
    }

    /** It is not known. */
    record Unknown(String reason) implements Way { }
}

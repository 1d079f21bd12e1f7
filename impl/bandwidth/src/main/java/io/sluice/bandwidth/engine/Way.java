// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.PortId;
import io.sluice.bandwidth.PathShare;
import java.util.List;

/** How a flow passes the network. */
sealed interface Way {
    /**
     * It is known.
     *
     * @param ingress port of its source
     */
    record Known(PortId ingress, List<PathShare> paths) implements Way {
        public Known {
            paths = List.copyOf(paths);
        }
    }

    /** It is not known. */
    record Unknown(String reason) implements Way { }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Split;
import io.sluice.planner.model.Additions;
import java.util.List;

/** What capacity planning answers. */
public sealed interface CapacityAnswer {
    /**
     * What to add, and what comes of it.
     *
     * @param additions no more than is needed for the value: where links alone bind some of what may be added is left
     * @param value the scale alpha that the routes reach with these additions
     * @param bound no scale is larger, whatever is added and however chains are routed
     * @param gap relative difference of the two
     * @param splits routes of each chain; shared, not to be changed
     */
    record Expanded(Additions additions, double value, double bound, double gap, List<Split> splits)
            implements CapacityAnswer {
        public Expanded {
            splits = List.copyOf(splits);
        }
    }

    /**
     * Some chains have no route at all, whatever is added: a VNF has no open deployment, or there is no way.
     *
     * @param chains their numbers
     * @param reason the first of them by name, with what is in their way
     */
    record Unroutable(List<Integer> chains, String reason) implements CapacityAnswer {
        public Unroutable {
            chains = List.copyOf(chains);
        }
    }
}

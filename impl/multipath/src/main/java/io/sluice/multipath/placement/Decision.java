// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.List;

/** Answer to a demand: all of it, or the reason why not. */
public sealed interface Decision {
    /** One assignment a piece, in the demand's order. */
    record Placed(List<Assignment> assignments) implements Decision {
        public Placed {
            assignments = List.copyOf(assignments);
        }
    }

    record Refused(String reason) implements Decision { }
}

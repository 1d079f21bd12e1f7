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

    /**
     * Nothing is placed.
     *
     * @param cause what stands in the way
     * @param needed what would help
     */
    record Refused(String cause, String needed) implements Decision {
        /** Cause and help in one line. */
        public String reason() {
            return cause + "; " + needed;
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import java.util.List;

/** Answer to a {@link FlowRequest}. */
public sealed interface Placement {
    /**
     * The flow goes as asked once {@code changes} are carried out.
     *
     * @param unprotected links of its paths whose loss would stop it until it is moved
     */
    record Placed(FlowRecord record, Changes changes, List<Hop> unprotected) implements Placement {
        public Placed {
            unprotected = List.copyOf(unprotected);
        }
    }

    /** Nothing has changed. */
    record Refused(String reason) implements Placement { }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import java.util.Map;
import java.util.Optional;

/** Hears what happens to rates; called on the engine's loop. */
public interface BandwidthEvents {
    /** The meters or marks of these flows changed; what has no state is none of the configuration any more. */
    void reallocated(Map<FlowId, Optional<FlowState>> flows);

    /** The engine of an application began to tell of its flows, or fell silent. */
    void heard(ApplicationId application, Reporting reporting);

    /** A round was refused, for another reason than the one before. */
    void refused(String reason);
}

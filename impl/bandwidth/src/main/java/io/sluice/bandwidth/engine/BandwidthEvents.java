// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import java.util.Map;
import java.util.Optional;

/** Hears what happens to rates; called on the engine's loop. */
public interface BandwidthEvents {
    /**
     * The meters of these flows changed; a flow without a rate is none of the configuration any more, or has been in
     * refused rounds only.
     */
    void reallocated(Map<FlowId, Optional<FlowRate>> flows);

    /** The engine of an application began to tell of its flows, or fell silent. */
    void heard(ApplicationId application, Reporting reporting);

    /** A round was refused, for another reason than the one before. */
    void refused(String reason);
}

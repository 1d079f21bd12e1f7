// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.Allocation.FlowRate;
import java.util.List;
import java.util.Optional;

/**
 * Why a flow has its rate.
 *
 * @param link the one that keeps it from having more
 * @param sharing the flows with something to send over that link, in the order of the configuration
 * @param slowest the flow that its application waits for
 */
public record Explanation(FlowState flow, Optional<AllocatableLink> link, List<FlowRate> sharing,
        Optional<FlowRate> slowest) {
    public Explanation {
        sharing = List.copyOf(sharing);
    }
}

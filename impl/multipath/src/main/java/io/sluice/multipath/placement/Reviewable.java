// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.SwitchId;

/** A placed flow that may move; {@code sinceMoveNs} is how long it has been where it is. */
public record Reviewable(FlowView flow, SwitchId clientEdge, SwitchId serverEdge, long sinceMoveNs,
        Strategy strategy) { }

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A flow of the configuration, and what it has.
 *
 * @param rate what the last round gave it; empty if it was in none
 * @param switchId where its meter, queue or mark is; empty if it has none
 * @param meter what holds it to its rate; empty if nothing needs to
 * @param level of priority that its packets are marked with, 0 goes first; empty if they are not
 * @param passage what became of its packets; empty before they are counted for the first time
 * @param pending why it is not held to its rate
 */
public record FlowState(FlowId id, FlowConfig config, Optional<FlowRate> rate, Optional<SwitchId> switchId,
        Optional<MeterState> meter, OptionalInt level, Optional<Passage> passage, Optional<String> pending) {
    /**
     * A meter, or queues in its place.
     *
     * @param meter its number, 0..{@link io.sluice.api.Owner#MAX_METER}; empty without one
     * @param switchMeter the id of the meter at the switch; empty before that has told of it
     * @param queue number of the queue, 1..{@link io.sluice.api.PortQueues#MAX_NUMBER}; empty without one
     * @param kilobits its rate, in kilobits per second; with 0 there is no meter, and all is dropped
     */
    public record MeterState(OptionalInt meter, OptionalLong switchMeter, OptionalLong queue, long kilobits) { }

    /**
     * What passed of its packets, and what did not.
     *
     * @param measured rate of what passes; empty as long as its switch does not tell
     * @param dropped by its meters
     */
    public record Passage(Optional<Bandwidth> measured, Traffic dropped) { }
}

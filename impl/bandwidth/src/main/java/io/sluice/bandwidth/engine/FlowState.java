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

/**
 * A flow of the configuration, and what it has.
 *
 * @param rate what the last round gave it; empty if it was in none
 * @param meter what holds it to its rate; empty if nothing needs to
 * @param level of priority that its packets are marked with, 0 goes first; empty if they are not
 * @param passage what became of its packets; empty before they are counted for the first time
 * @param pending why it is not held to its rate
 */
public record FlowState(FlowId id, FlowConfig config, Optional<FlowRate> rate, Optional<MeterState> meter,
        OptionalInt level, Optional<Passage> passage, Optional<String> pending) {
    /**
     * A meter, or queues in its place.
     *
     * @param number of the meter, 0..{@link io.sluice.api.Owner#MAX_METER}
     * @param switchId where it stands
     * @param kilobits its rate, in kilobits per second; with 0 there is no meter, and all is dropped
     * @param isQueue queues hold the flow
     */
    public record MeterState(int number, SwitchId switchId, long kilobits, boolean isQueue) {
        /** The number of the meter; nothing without one. */
        public Optional<Integer> meter() {
            return Optional.of(number).filter(given -> kilobits > 0 && !isQueue);
        }

        /** The number of the queue; nothing without one. */
        public Optional<Long> queue() {
            return Optional.of(Metering.queueNumber(number)).filter(given -> isQueue);
        }
    }

    /**
     * What passed of its packets, and what did not.
     *
     * @param measured rate of what passes; empty as long as its switch does not tell
     * @param dropped by its meters
     */
    public record Passage(Optional<Bandwidth> measured, Traffic dropped) { }
}

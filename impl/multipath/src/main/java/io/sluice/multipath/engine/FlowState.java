// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.Path;
import io.sluice.multipath.placement.Assignment;
import io.sluice.multipath.steering.FlowRecord;
import java.time.Instant;
import java.util.Optional;

/**
 * A placed flow as it stands.
 *
 * @param forward from the client's switch to the server's
 * @param wanted rate asked for; as much as there is if empty
 * @param why how it was chosen
 * @param placed when it was placed or last moved
 * @param movedNs the same on the engine's clock
 * @param pending what keeps it from being in place
 */
public record FlowState(FlowRecord record, Path forward, Path backward, Optional<Bandwidth> wanted, Reason why,
        Instant placed, long movedNs, int moves, Usage usage, Optional<String> pending) {
    /** So many steps lie between a limit and twice that limit. */
    private static final int STEPS = 8;

    /**
     * What the choice was based on.
     *
     * @param assignment as it was decided; empty for a flow that was placed in an earlier run of the controller
     */
    public record Reason(Optional<Assignment> assignment) {
        static final Reason RESTORED = new Reason(Optional.empty());

        /** Max-min share that the decision gave the flow; zero if it is not known. */
        public Bandwidth expectedRate() {
            return assignment.map(Assignment::expectedRate).orElse(Bandwidth.ZERO);
        }

        /** Link that limits it, as text. */
        public Optional<String> bindingLink() {
            return assignment.flatMap(Assignment::bottleneck).map(bottleneck -> bottleneck.link().toString());
        }

        /** The best choice that was not taken, as text. */
        public Optional<String> runnerUp() {
            return assignment.flatMap(made -> made.weighing().runnerUp()).map(Object::toString);
        }
    }

    /**
     * The most that the flow is taken to want: what was asked for, and, once it was seen to carry something, twice what
     * it carried; one that is held up by others can grow to its share that way in a few samples. In steps of an eighth
     * at most, so that flows that carry about the same are alike.
     */
    Optional<Bandwidth> limit() {
        if (usage.isUnknown()) {
            return wanted;
        }
        final var likely = steppedUp(2 * usage.rate().bitsPerSecond());
        return Optional.of(wanted.filter(rate -> rate.compareTo(likely) < 0).orElse(likely));
    }

    private static Bandwidth steppedUp(final long bitsPerSecond) {
        final long step = Math.max(1, Long.highestOneBit(bitsPerSecond) / STEPS);
        return new Bandwidth((bitsPerSecond + step - 1) / step * step);
    }

    FlowState withRecord(final FlowRecord newRecord) {
        return new FlowState(newRecord, forward, backward, wanted, why, placed, movedNs, moves, usage, pending);
    }

    FlowState withWanted(final Optional<Bandwidth> rate) {
        return new FlowState(record, forward, backward, rate, why, placed, movedNs, moves, usage, pending);
    }

    FlowState withUsage(final Usage newUsage) {
        return new FlowState(record, forward, backward, wanted, why, placed, movedNs, moves, newUsage, pending);
    }

    FlowState withPending(final Optional<String> reason) {
        return new FlowState(record, forward, backward, wanted, why, placed, movedNs, moves, usage, reason);
    }

    FlowState moved(final FlowRecord newRecord, final Path newForward, final Path newBackward, final Reason reason,
            final Instant now, final long nowNs) {
        return new FlowState(newRecord, newForward, newBackward, wanted, reason, now, nowNs, moves + 1, usage,
            pending);
    }
}

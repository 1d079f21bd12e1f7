// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongPredicate;

/**
 * Queues at the ports of those switches that let them be made. A port that somebody else gave queues keeps those.
 * Thread-safe.
 */
public interface PortQueues {
    /** Largest number of a queue: Open vSwitch makes no more at a port. */
    long MAX_NUMBER = 61_439;
    /** Least rate of a queue: Open vSwitch makes it a frame of 1,500 bytes a second at least. */
    Bandwidth LEAST_RATE = new Bandwidth(12_000);

    /**
     * What keeps a port from its queues.
     *
     * @param mayRemain those from earlier may still be there
     */
    record Fault(String reason, boolean mayRemain) {
        /** What it is for a flow that leaves by this port. */
        public String told(final PortId port) {
            return "port " + port + " has no queue for it: " + reason;
        }
    }

    /**
     * Wants these queues, served by strict priority, at each port whose capacity is known, and none of Sluice's
     * besides. As long as there are some, those of {@link #wantRates} wait. Completes as that does.
     *
     * @param numbers 0..{@link #MAX_NUMBER}, the one that goes first first; empty to take them away
     * @param asked ports of which it matters whether they have them
     * @return those of these that don't
     */
    CompletionStage<Map<PortId, Fault>> wantPriorities(List<Long> numbers, Set<PortId> asked);

    /**
     * Wants these queues, each of which never has more than its rate, and none of Sluice's besides. What is in none of
     * them shares the port with them, as if it were one more. Completes when databases have taken it, or a few seconds
     * later, and never fails; the switches follow their databases within milliseconds.
     *
     * @param rates by port and by number, 1..{@link #MAX_NUMBER}, from {@link #LEAST_RATE}
     * @param stays whether another queue with this number, which a port has from earlier, stays as it is
     * @return the ports that don't have what they should
     */
    CompletionStage<Map<PortId, Fault>> wantRates(Map<PortId, Map<Long, Bandwidth>> rates, LongPredicate stays);

    /** Wants nothing any more: what is there stays. */
    void leave();
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Queues at the ports of those switches that let them be made. A port that somebody else gave queues keeps those.
 * Thread-safe.
 */
public interface PortQueues {
    /** Largest number of a queue that {@link #hold} makes: Linux has no more in one discipline. */
    long MAX_HELD = 61_439;

    /**
     * Wants these queues, served by strict priority, at each port whose capacity is known, and none of Sluice's
     * besides. As long as there are some, those of {@link #hold} wait.
     *
     * @param numbers 0..2^32-2, the one that goes first first; empty to take them away
     */
    void want(List<Long> numbers);

    /**
     * Wants these queues, each of which always has its rate and never more, and none of Sluice's at other ports. What
     * is in none of them has what they leave. All of a port change at one moment. Completes when the switches have
     * answered, and never fails.
     *
     * @param rates by port and by number, 1..{@link #MAX_HELD}
     * @return the ports that don't have what they should, each with the reason
     */
    CompletionStage<Map<PortId, String>> hold(Map<PortId, Map<Long, Bandwidth>> rates);

    /** Wants nothing any more: what is there stays. */
    void leave();
}

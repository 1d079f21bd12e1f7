// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.List;

/** Queues at the ports of those switches that let them be made. Thread-safe. */
public interface PortQueues {
    /**
     * Wants these queues, served by strict priority, at each port whose capacity is known, and none of Sluice's
     * besides. A port that somebody else gave queues keeps those.
     *
     * @param numbers 0..2^32-2, the one that goes first first; empty to take them away
     */
    void want(List<Long> numbers);

    /** Wants nothing any more: what is there stays. */
    void leave();
}

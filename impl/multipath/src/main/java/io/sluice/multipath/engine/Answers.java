// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.FirstPackets;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.api.FlowMatch;

/** Answers refused packets to their senders. */
final class Answers {
    private final FirstPackets firstPackets;

    Answers(final FirstPackets firstPackets) {
        this.firstPackets = firstPackets;
    }

    /**
     * Answers a packet, unless it is a TCP segment of a connection that was open before and may go on once the reason
     * for the refusal has passed: a reset would end it.
     *
     * @param isDead true if the connection can't go on in any case
     */
    void refuse(final FirstPacket packet, final boolean isDead) {
        if (isDead || packet.connection().protocol() != FlowMatch.PROTOCOL_TCP || firstPackets.opens(packet)) {
            firstPackets.refuse(packet);
        }
    }
}

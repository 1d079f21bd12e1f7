// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.function.Consumer;

/** Packets for which no switch has an entry yet: the first of a connection, as a rule. */
public interface FirstPackets {
    /** Calls {@code listener} for each such packet, one call at a time. The listener must not block. */
    Subscription subscribe(Consumer<FirstPacket> listener);

    /** Puts a packet that was waiting for its path back into the pipeline of the switch that it came from. */
    void release(FirstPacket packet);

    /**
     * Answers a packet whose connection can't be had: TCP by a reset, all else by an ICMP error. Returns at once. The
     * number of answers is limited, and some packets may get none.
     */
    void refuse(FirstPacket packet);

    /** True for a packet that opens a TCP connection: SYN without ACK. */
    boolean opens(FirstPacket packet);

    /**
     * A unicast IP packet that no entry took.
     *
     * @param ingress where it came in; the array is not to be changed
     */
    record FirstPacket(PortId ingress, Connection connection, byte[] frame) { }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.InetAddress;
import java.util.Optional;
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
     * Hands a packet to the switch of the host that has {@code destination}, with other IP addresses than it came with.
     * Checksums are adjusted; a fragment keeps its data, which Open vSwitch's own datapath changes when it rewrites the
     * address of a later IPv4 fragment.
     *
     * @return false if the host is not known, or the frame is too short for its checksum: nothing was sent then
     */
    boolean relay(FirstPacket packet, InetAddress source, InetAddress destination);

    /**
     * A unicast IP packet that no entry took.
     *
     * @param ingress where it came in
     * @param connection with ports of 0 in a fragment other than the first
     * @param fragment empty for a whole packet
     * @param frame as it came in; the array is not to be changed
     */
    record FirstPacket(PortId ingress, Connection connection, Optional<Fragment> fragment, byte[] frame) {
        /** A whole packet. */
        public FirstPacket(final PortId ingress, final Connection connection, final byte[] frame) {
            this(ingress, connection, Optional.empty(), frame);
        }
    }
}

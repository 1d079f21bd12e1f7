// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import io.sluice.southbound.packet.Packet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Sends probes into the tables of a switch, and sees them come back to the controller. */
public interface ProbeWire {
    /** Ethernet type of a probe that is no IP packet, the first for local experiments (IEEE 802, section 9.2.3). */
    int ETHERNET_TYPE = 0x88b5;
    /** Octets that are put behind each frame, to tell whose it is. */
    int TAG_LENGTH = Long.BYTES;

    /**
     * Sends frames through the tables, from the first one on.
     *
     * @param over the time that they take, at equal distances; zero for all at once
     * @return what the switch sends up of them, in the order of its coming: {@code expected} packets, or fewer if a
     *     second passes after the last frame before that
     */
    CompletionStage<List<Packet>> send(List<byte[]> frames, int expected, Duration over);
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import io.sluice.southbound.packet.Packet;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Sends probes into the tables of a switch, and sees them come back to the controller. */
public interface ProbeWire {
    /** Ethernet type of a probe that is no IP packet, the first for local experiments (IEEE 802, section 9.2.3). */
    int ETHERNET_TYPE = 0x88b5;

    /**
     * Sends frames through the tables, from the first one on.
     *
     * @return what the switch sends up of them, in the order of its coming: {@code expected} packets, or fewer if a
     *     second passes before that
     */
    CompletionStage<List<Packet>> send(List<byte[]> frames, int expected);
}

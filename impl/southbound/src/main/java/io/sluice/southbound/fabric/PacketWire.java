// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.PortId;

/** Sends frames through switches. Nobody waits for them; a frame to a switch that is away is lost. */
public interface PacketWire {
    /** Sends {@code frame} out of {@code port}. */
    void send(PortId port, byte[] frame);

    /** Lets the tables of the switch handle {@code frame} as if it had just come in by {@code ingress}. */
    void resubmit(PortId ingress, byte[] frame);
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.PortId;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet;

/**
 * A frame that a switch handed up.
 *
 * @param port where it came in
 * @param frame as it came in; not to be changed
 * @param packet what {@code frame} is
 */
public record PacketIn(PortId port, byte[] frame, Packet packet) {
    public static PacketIn of(final PortId port, final byte[] frame) {
        return new PacketIn(port, frame, Frames.parse(frame));
    }
}

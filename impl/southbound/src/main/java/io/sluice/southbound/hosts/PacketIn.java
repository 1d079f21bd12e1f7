// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.PortId;
import io.sluice.southbound.packet.Ethernet;
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
    /** Returns the VLAN that the frame belongs to, or {@link Ethernet#UNTAGGED}. */
    public int vlan() {
        return switch (packet) {
            case Packet.Arp it -> it.ethernet().vlan();
            case Packet.NeighbourSolicitation it -> it.ethernet().vlan();
            case Packet.NeighbourAdvertisement it -> it.ethernet().vlan();
            case Packet.RouterSolicitation it -> it.ethernet().vlan();
            case Packet.RouterAdvertisement it -> it.ethernet().vlan();
            case Packet.Dhcp it -> it.ethernet().vlan();
            case Packet.Ip it -> it.ethernet().vlan();
            case Packet.Other it -> it.ethernet().vlan();
            case Packet.Malformed it -> Ethernet.UNTAGGED;
        };
    }

    public static PacketIn of(final PortId port, final byte[] frame) {
        return new PacketIn(port, frame, Frames.parse(frame));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.Question;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet.Arp;
import io.sluice.southbound.packet.Packet.Ip;
import io.sluice.southbound.packet.Packet.NeighbourAdvertisement;
import io.sluice.southbound.packet.Packet.NeighbourSolicitation;
import io.sluice.testlib.Packet;
import java.util.Optional;

/** Frames as the fake switches see them. */
final class Translation {
    private Translation() {
        // a function only
    }

    /**
     * Returns the fields that a switch can look at.
     *
     * @throws IllegalArgumentException if the frame is of a kind that no station sends
     */
    static Packet packet(final byte[] frame) {
        return switch (Frames.parse(frame)) {
            case Arp arp when arp.request() -> Packet.of(new Question(arp.senderMac(), arp.senderIp(), arp.targetIp()));
            case Arp arp -> new Packet(arp.ethernet().source(), arp.ethernet().destination(), FlowMatch.ETHERNET_ARP,
                Optional.empty());
            case NeighbourSolicitation it -> Packet.of(new Question(it.ethernet().source(), it.source(), it.target()),
                it.ethernet().destination(), Frames.solicitedNode(it.target()));
            case NeighbourAdvertisement it -> Packet.of(it.ethernet().source(), it.ethernet().destination(),
                new Connection(FlowMatch.PROTOCOL_ICMPV6, it.target(), it.destination(), 0, 0));
            case Ip ip -> Packet.of(ip.ethernet().source(), ip.ethernet().destination(), ip.connection());
            default -> throw new IllegalArgumentException("no station sends " + Frames.parse(frame));
        };
    }
}

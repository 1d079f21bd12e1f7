// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.MacAddress;
import io.sluice.api.PathLabel;
import io.sluice.api.PortId;
import io.sluice.southbound.packet.Ethernet;
import io.sluice.southbound.packet.Packet;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A host was heard at a port.
 *
 * @param address that it used, if the packet has one; not every address is fit to be learned
 * @param solicited true if the packet answers a question of the fabric: its sender has {@code address} now. Other
 *     packets can have been sent before their sender lost the address, or lie about one that it had
 */
public record Sighting(MacAddress mac, Optional<InetAddress> address, PortId port, boolean solicited) {
    private static final int IPV4_BROADCAST = -1;

    /** An answer. */
    public Sighting(final MacAddress mac, final Optional<InetAddress> address, final PortId port) {
        this(mac, address, port, true);
    }

    /** Returns what {@code in} tells about its sender; nothing if it is malformed. */
    public static Optional<Sighting> of(final PacketIn in) {
        final var port = in.port();
        return switch (in.packet()) {
            case Packet.Arp arp -> claim(arp.ethernet(), arp.senderMac(), arp.senderIp(), port,
                !arp.request() && (arp.targetIp().isAnyLocalAddress() || isForFabric(arp.ethernet())));
            case Packet.NeighbourAdvertisement it -> claim(it.ethernet(),
                it.targetMac().orElse(it.ethernet().source()), it.target(), port, isForFabric(it.ethernet()));
            case Packet.NeighbourSolicitation it -> from(it.ethernet(), it.source(), port);
            case Packet.RouterSolicitation it -> from(it.ethernet(), it.source(), port);
            case Packet.RouterAdvertisement it -> from(it.ethernet(), it.source(), port);
            case Packet.Dhcp it -> from(it.ethernet(), it.connection().source(), port);
            case Packet.Ip it -> from(it.ethernet(), it.connection().source(), port);
            case Packet.Other it -> Optional.of(new Sighting(it.ethernet().source(), Optional.empty(), port));
            case Packet.Malformed it -> Optional.empty();
        };
    }

    private static Optional<Sighting> from(final Ethernet ethernet, final InetAddress source, final PortId port) {
        return Optional.of(new Sighting(ethernet.source(), Optional.of(source), port, false));
    }

    /** A claim made in the name of another station says nothing about the sender's own addresses. */
    private static Optional<Sighting> claim(final Ethernet ethernet, final MacAddress claimant,
            final InetAddress address, final PortId port, final boolean solicited) {
        return Optional.of(new Sighting(ethernet.source(),
            claimant.equals(ethernet.source()) ? Optional.of(address) : Optional.empty(), port,
            solicited));
    }

    private static boolean isForFabric(final Ethernet ethernet) {
        return ethernet.destination().equals(FabricAddress.MAC);
    }

    /** False for what no host has: group and zero addresses, path labels and the fabric's own. */
    static boolean isHostMac(final MacAddress mac) {
        final boolean label = (mac.value() & PathLabel.ANY.mask().value()) == PathLabel.ANY.address().value();
        return !mac.isGroup() && mac.value() != 0 && !label && !mac.equals(FabricAddress.MAC);
    }

    /** False for unspecified, multicast, loopback and broadcast addresses. */
    static boolean isHostAddress(final InetAddress address) {
        final var octets = address.getAddress();
        final boolean broadcast = octets.length == 4 && ByteBuffer.wrap(octets).getInt() == IPV4_BROADCAST;
        return !address.isAnyLocalAddress() && !address.isMulticastAddress() && !address.isLoopbackAddress()
            && !broadcast;
    }
}

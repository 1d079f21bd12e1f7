// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.InetAddress;

/**
 * One direction of a transport connection.
 *
 * @param vlan identifier of the VLAN that its packets are tagged with, 1..{@link FlowMatch#MAX_VLAN}, or
 *     {@link FlowMatch#UNTAGGED}
 * @param protocol IP protocol, 0..255
 * @param sourcePort 0..65535; 0 for protocols without ports, and in fragments other than the first
 * @param destinationPort likewise
 */
public record Connection(int vlan, int protocol, InetAddress source, InetAddress destination, int sourcePort,
        int destinationPort) {
    public Connection {
        FlowMatch.requireVlan(vlan);
        if (source.getAddress().length != destination.getAddress().length) {
            throw new IllegalArgumentException("IPv4 and IPv6 mixed: " + source + ", " + destination);
        }
    }

    /** A connection of untagged packets. */
    public Connection(final int protocol, final InetAddress source, final InetAddress destination,
            final int sourcePort, final int destinationPort) {
        this(FlowMatch.UNTAGGED, protocol, source, destination, sourcePort, destinationPort);
    }

    /** The same between the hosts of {@code tag}. */
    public Connection in(final int tag) {
        return new Connection(tag, protocol, source, destination, sourcePort, destinationPort);
    }

    /** True if its packets have a VLAN tag. */
    public boolean isTagged() {
        return vlan != FlowMatch.UNTAGGED;
    }

    /** The other direction. */
    public Connection reversed() {
        return new Connection(vlan, protocol, destination, source, destinationPort, sourcePort);
    }

    /** True for TCP and UDP. */
    public boolean hasPorts() {
        return protocol == FlowMatch.PROTOCOL_TCP || protocol == FlowMatch.PROTOCOL_UDP;
    }

    /** The match that takes exactly this direction; of an untagged connection it looks at no tag. */
    public FlowMatch match() {
        final var match = FlowMatch.builder().source(MaskedIp.host(source)).destination(MaskedIp.host(destination))
            .ipProtocol(protocol);
        if (isTagged()) {
            match.vlan(vlan);
        }
        return hasPorts()
            ? match.l4Source(sourcePort).l4Destination(destinationPort).build()
            : match.build();
    }

    @Override
    public String toString() {
        return (isTagged() ? "vlan " + vlan + " " : "") + protocol + " " + source.getHostAddress() + "." + sourcePort
            + " > " + destination.getHostAddress() + "." + destinationPort;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.InetAddress;

/**
 * One direction of a transport connection.
 *
 * @param protocol IP protocol, 0..255
 * @param sourcePort 0..65535; 0 for protocols without ports, and in fragments other than the first
 * @param destinationPort likewise
 */
public record Connection(int protocol, InetAddress source, InetAddress destination, int sourcePort,
        int destinationPort) {
    public Connection {
        if (source.getAddress().length != destination.getAddress().length) {
            throw new IllegalArgumentException("IPv4 and IPv6 mixed: " + source + ", " + destination);
        }
    }

    /** The other direction. */
    public Connection reversed() {
        return new Connection(protocol, destination, source, destinationPort, sourcePort);
    }

    /** True for TCP and UDP. */
    public boolean hasPorts() {
        return protocol == FlowMatch.PROTOCOL_TCP || protocol == FlowMatch.PROTOCOL_UDP;
    }

    /** The match that takes exactly this direction. */
    public FlowMatch match() {
        final var match = FlowMatch.builder().source(MaskedIp.host(source)).destination(MaskedIp.host(destination))
            .ipProtocol(protocol);
        return hasPorts()
            ? match.l4Source(sourcePort).l4Destination(destinationPort).build()
            : match.build();
    }

    @Override
    public String toString() {
        return protocol + " " + source.getHostAddress() + "." + sourcePort + " > " + destination.getHostAddress() + "."
            + destinationPort;
    }
}

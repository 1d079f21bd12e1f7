// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.IpPrefix;
import io.sluice.api.Pipeline;
import java.net.InetAddress;
import java.util.OptionalInt;

/**
 * Which packets a flow consists of, as its client sends them: one connection, or all from a client to a port or host.
 *
 * @param protocol IP protocol, 0..255
 * @param target address that the client uses: the server's, or a virtual one
 * @param clientPort 1..65535; empty if the flow takes all, or the protocol has no ports
 * @param targetPort likewise; needed beside a client's port
 */
public record FlowKey(int protocol, InetAddress client, InetAddress target, OptionalInt clientPort,
        OptionalInt targetPort) {
    public FlowKey {
        if (client.getAddress().length != target.getAddress().length) {
            throw new IllegalArgumentException("IPv4 and IPv6 mixed: " + client + ", " + target);
        }
        if (clientPort.isPresent() && targetPort.isEmpty()) {
            throw new IllegalArgumentException("port " + clientPort.getAsInt() + " of " + client
                + " without a port of " + target);
        }
    }

    /** The packets of one connection. */
    public static FlowKey of(final Connection connection) {
        return new FlowKey(connection.protocol(), connection.source(), connection.destination(),
            connection.hasPorts() ? OptionalInt.of(connection.sourcePort()) : OptionalInt.empty(),
            connection.hasPorts() ? OptionalInt.of(connection.destinationPort()) : OptionalInt.empty());
    }

    /** All connections of one client to a port. */
    public static FlowKey toPort(final int protocol, final InetAddress client, final InetAddress target,
            final int targetPort) {
        return new FlowKey(protocol, client, target, OptionalInt.empty(), OptionalInt.of(targetPort));
    }

    /** Takes the packets from the client. */
    public FlowMatch forward() {
        final var match = FlowMatch.builder().source(IpPrefix.host(client)).destination(IpPrefix.host(target))
            .ipProtocol(protocol);
        clientPort.ifPresent(match::l4Source);
        targetPort.ifPresent(match::l4Destination);
        return match.build();
    }

    /** Takes the packets of {@code server} to the client. */
    public FlowMatch backward(final InetAddress server) {
        final var match = FlowMatch.builder().source(IpPrefix.host(server)).destination(IpPrefix.host(client))
            .ipProtocol(protocol);
        targetPort.ifPresent(match::l4Source);
        clientPort.ifPresent(match::l4Destination);
        return match.build();
    }

    /**
     * Priority of {@link #forward}: the more ports a key names the higher, so that two keys of one priority are equal
     * or apart.
     */
    public int forwardPriority() {
        return Pipeline.PRIORITY_CONNECTION - 2 * allPorts();
    }

    /** Priority of {@link #backward}: where the keys of the two directions could overlap, forward wins. */
    public int backwardPriority() {
        return allPorts() == 0 ? Pipeline.PRIORITY_CONNECTION : forwardPriority() - 1;
    }

    /** How many ports are left open, of those that the protocol has. */
    private int allPorts() {
        final boolean ports = protocol == FlowMatch.PROTOCOL_TCP || protocol == FlowMatch.PROTOCOL_UDP;
        return ports ? (clientPort.isEmpty() ? 1 : 0) + (targetPort.isEmpty() ? 1 : 0) : 0;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.MaskedIp;
import io.sluice.api.Pipeline;
import java.net.InetAddress;
import java.util.OptionalInt;

/**
 * Which packets a flow consists of, as its clients send them: one connection, all from a client to a port or host, all
 * from a slot of clients to a port, or the fragments of a client to a host.
 *
 * @param vlan VLAN of its packets, 1..{@link FlowMatch#MAX_VLAN}, or {@link FlowMatch#UNTAGGED}
 * @param protocol IP protocol, 0..255; 44 for fragments of IPv6 other than first ones
 * @param clients one address, or those that a slot has in common
 * @param target address that the clients use: the server's, or a virtual one
 * @param clientPort 1..65535; 0 for fragments, whose ports no entry sees; empty if the flow takes all, or the protocol
 *     has no ports
 * @param targetPort likewise; needed beside a client's port, and for a slot
 */
public record FlowKey(int vlan, int protocol, MaskedIp clients, InetAddress target, OptionalInt clientPort,
        OptionalInt targetPort) {
    /** Below all flows of one client, whose priorities depend on the ports that they leave open. */
    private static final int PRIORITY_SLOT = Pipeline.PRIORITY_CONNECTION - 10;

    public FlowKey {
        if (clients.isIpv6() != MaskedIp.host(target).isIpv6()) {
            throw new IllegalArgumentException("IPv4 and IPv6 mixed: " + clients + ", " + target);
        }
        if (clientPort.isPresent() && targetPort.isEmpty()) {
            throw new IllegalArgumentException("port " + clientPort.getAsInt() + " of " + clients
                + " without a port of " + target);
        }
        if (!clients.isHost() && (clientPort.isPresent() || targetPort.isEmpty())) {
            throw new IllegalArgumentException("the slot " + clients + " needs a port of " + target + " alone");
        }
        if (vlan != FlowMatch.UNTAGGED && !clients.isHost()) {
            throw new IllegalArgumentException("the slot " + clients + " is of untagged clients, not of VLAN " + vlan);
        }
    }

    /** Untagged packets. */
    public FlowKey(final int protocol, final MaskedIp clients, final InetAddress target,
            final OptionalInt clientPort, final OptionalInt targetPort) {
        this(FlowMatch.UNTAGGED, protocol, clients, target, clientPort, targetPort);
    }

    /** Untagged packets of one client. */
    public FlowKey(final int protocol, final InetAddress client, final InetAddress target,
            final OptionalInt clientPort, final OptionalInt targetPort) {
        this(FlowMatch.UNTAGGED, protocol, MaskedIp.host(client), target, clientPort, targetPort);
    }

    /** The packets of one connection. */
    public static FlowKey of(final Connection connection) {
        return new FlowKey(connection.vlan(), connection.protocol(), MaskedIp.host(connection.source()),
            connection.destination(),
            connection.hasPorts() ? OptionalInt.of(connection.sourcePort()) : OptionalInt.empty(),
            connection.hasPorts() ? OptionalInt.of(connection.destinationPort()) : OptionalInt.empty());
    }

    /** All connections of one client to a port. */
    public static FlowKey toPort(final int protocol, final InetAddress client, final InetAddress target,
            final int targetPort) {
        return new FlowKey(protocol, client, target, OptionalInt.empty(), OptionalInt.of(targetPort));
    }

    /** All connections of a slot of clients to a port. */
    public static FlowKey ofSlot(final int protocol, final MaskedIp slot, final InetAddress target,
            final int targetPort) {
        return new FlowKey(protocol, slot, target, OptionalInt.empty(), OptionalInt.of(targetPort));
    }

    /** True if it takes fragments and no whole packets: {@link io.sluice.api.Fragment#matched}. */
    public boolean isOfFragments() {
        return protocol == FlowMatch.PROTOCOL_IPV6_FRAGMENT || clientPort.stream().anyMatch(port -> port == 0)
            && targetPort.stream().anyMatch(port -> port == 0);
    }

    /** True if its clients are not one address. */
    public boolean isSlot() {
        return !clients.isHost();
    }

    /** The client; of a slot the bits that its clients have in common. */
    public InetAddress client() {
        return clients.address();
    }

    /** Takes the packets from the clients. */
    public FlowMatch forward() {
        final var match = between(clients, MaskedIp.host(target));
        clientPort.ifPresent(match::l4Source);
        targetPort.ifPresent(match::l4Destination);
        return match.build();
    }

    /** Takes the packets of {@code server} to {@code addressees}, who are clients. */
    public FlowMatch backward(final InetAddress server, final MaskedIp addressees) {
        final var match = between(MaskedIp.host(server), addressees);
        targetPort.ifPresent(match::l4Source);
        clientPort.ifPresent(match::l4Destination);
        return match.build();
    }

    /**
     * Priority of {@link #forward}: the more a key names the higher, so that two keys of one priority are equal or
     * apart.
     */
    public int forwardPriority() {
        return isSlot() ? PRIORITY_SLOT : highest() - 2 * allPorts();
    }

    /** Priority of {@link #backward}: where the keys of the two directions could overlap, forward wins. */
    public int backwardPriority() {
        return allPorts() == 0 ? highest() : forwardPriority() - 1;
    }

    private int highest() {
        return vlan == FlowMatch.UNTAGGED ? Pipeline.PRIORITY_CONNECTION : Pipeline.PRIORITY_TAGGED_CONNECTION;
    }

    /** Untagged packets are matched whatever their tag: tagged ones never get down to their entries. */
    private FlowMatch.Builder between(final MaskedIp from, final MaskedIp to) {
        final var match = FlowMatch.builder().source(from).destination(to).ipProtocol(protocol);
        return vlan == FlowMatch.UNTAGGED ? match : match.vlan(vlan);
    }

    /** How many ports are left open, of those that the protocol has. */
    private int allPorts() {
        final boolean ports = protocol == FlowMatch.PROTOCOL_TCP || protocol == FlowMatch.PROTOCOL_UDP;
        return ports ? (clientPort.isEmpty() ? 1 : 0) + (targetPort.isEmpty() ? 1 : 0) : 0;
    }
}

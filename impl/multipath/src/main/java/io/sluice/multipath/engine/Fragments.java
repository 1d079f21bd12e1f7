// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.multipath.engine.ConnectionFlows.Along;
import io.sluice.multipath.engine.MultipathEngine.Environment;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import java.net.Inet6Address;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Brings fragments to where the other packets of their connection go. No entry sees the ports of a fragment
 * ({@link io.sluice.api.Fragment#matched}), so that there are two ways:
 * <pre>
 *  to or from a server with a virtual address: the engine relays each fragment along the flow of its connection
 *     first fragment --its ports-----------------------&gt; flow, placed if there is none --&gt; relayed
 *     later fragment --connection of the first one-----&gt; the same flow -----------------&gt; relayed
 *                    --no first one within two seconds-&gt; dropped
 *  between all others: a flow of its own with the ports 0, for all fragments of two hosts and a protocol
 * </pre>
 * Entries for the first kind could not tell the connections of a client apart, which may be at several servers. And
 * Open vSwitch's own datapath changes the data of later IPv4 fragments when it rewrites their addresses.
 *
 * <p>Belongs to the engine's loop.
 */
final class Fragments {
    /** A flow is noted to be in use so often. */
    private static final long NOTED_NS = TimeUnit.SECONDS.toNanos(1);

    private final Environment environment;
    private final FlowBook book;
    private final Decisions decisions;
    private final PlacedFlows flows;
    private final ConnectionFlows connections;
    private final FragmentedPackets known;
    private final Consumer<FirstPacket> placer;

    /**
     * Begins with nothing.
     *
     * @param placer takes packets whose flow has to be found or placed; those that are fragments come back to
     *     {@link #relay} then
     */
    Fragments(final Environment environment, final FlowBook book, final Decisions decisions, final Slots slots,
            final PlacedFlows flows, final Consumer<FirstPacket> placer) {
        this.environment = environment;
        this.book = book;
        this.decisions = decisions;
        this.flows = flows;
        this.placer = placer;
        connections = new ConnectionFlows(environment.fabric(), book, decisions, slots);
        known = new FragmentedPackets(environment.nowNs(), environment.events()::fragmentsDropped);
    }

    /** Takes a packet that no entry took, whole or not. */
    void arrived(final FirstPacket packet) {
        packet.fragment().ifPresentOrElse(fragment -> {
            known.expire();
            if (!isRelayed(packet.connection())) {
                placer.accept(new FirstPacket(packet.ingress(), fragment.matched(packet.connection()),
                    packet.frame()));
            } else if (fragment.first()) {
                send(packet);
                known.begin(packet).forEach(this::send);
            } else {
                later(packet);
            }
        }, () -> placer.accept(packet));
    }

    /** Sends a fragment whose flow was placed along it; drops it if there is none any more. */
    void relay(final FirstPacket packet) {
        connections.of(packet.connection(), packet.ingress().switchId()).ifPresentOrElse(along ->
            relay(packet, along), () -> environment.events().fragmentsDropped(1));
    }

    /** Withdraws the flows of fragments that are to be relayed by the configuration that is in force now. */
    void configured() {
        book.all().stream().filter(flow -> {
            final var key = flow.record().key();
            return key.isOfFragments()
                && isRelayed(new Connection(key.vlan(), key.protocol(), key.client(), key.target(), 0, 0));
        }).forEach(flow -> flows.withdraw(flow, WithdrawCause.RELEASED));
    }

    /** Drops fragments that have waited too long for the first one of their packet. */
    void expire() {
        known.expire();
    }

    /**
     * True if fragments of {@code connection} may belong to a virtual address. In IPv6 the protocol does not matter, as
     * no entry sees it in a later fragment. A server may have been removed from its service and still have flows.
     */
    private boolean isRelayed(final Connection connection) {
        final boolean ipv6 = connection.source() instanceof Inet6Address;
        return !connection.isTagged() && (ipv6 || connection.hasPorts()) && (book.isBehindVirtual(connection.source())
            || book.isBehindVirtual(connection.destination())
            || decisions.config().services().values().stream().anyMatch(service ->
                service.virtualAddress().isPresent() && (ipv6 || service.protocol() == connection.protocol())
                    && (service.virtualAddress().orElseThrow().equals(connection.destination())
                        || service.isServedBy(connection.source()) || service.isServedBy(connection.destination()))));
    }

    private void later(final FirstPacket packet) {
        final var completed = known.completed(packet);
        if (completed.isPresent()) {
            send(completed.orElseThrow());
        } else if (packet.connection().hasPorts()) {
            known.hold(packet);
        } else {
            // entries take the first fragment of a protocol without ports
            count(environment.firstPackets().relay(packet, packet.connection().source(),
                packet.connection().destination()));
        }
    }

    private void send(final FirstPacket packet) {
        connections.of(packet.connection(), packet.ingress().switchId()).ifPresentOrElse(along ->
            relay(packet, along), () -> placer.accept(packet));
    }

    private void relay(final FirstPacket packet, final Along along) {
        final var record = along.flow().record();
        final var connection = packet.connection();
        count(along.toServer()
            ? environment.firstPackets().relay(packet, connection.source(), record.server())
            : environment.firstPackets().relay(packet, record.key().target(), connection.destination()));
        final long nowNs = environment.nowNs().getAsLong();
        if (nowNs - along.flow().usage().activeNs() >= NOTED_NS) {
            book.put(along.flow().withUsage(along.flow().usage().active(nowNs)));
        }
    }

    private void count(final boolean relayed) {
        if (relayed) {
            environment.events().fragmentsRelayed(1);
        } else {
            environment.events().fragmentsDropped(1);
        }
    }
}

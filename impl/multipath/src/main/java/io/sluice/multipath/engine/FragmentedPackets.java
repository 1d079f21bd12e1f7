// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.FirstPackets.FirstPacket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * IP packets of which fragments came within the last two seconds: their connection, once the first fragment has said
 * it, and until then the fragments that overtook it. Bounded. Belongs to the engine's loop.
 */
final class FragmentedPackets {
    /** Fragments of a packet follow each other within milliseconds. */
    static final long LIFETIME_NS = 2_000_000_000L;
    /** The largest packet has 45 fragments on a link of 1,500 octets. */
    static final int HELD_EACH = 64;
    static final int HELD = 1024;
    static final int PACKETS = 8192;

    private final LongSupplier nowNs;
    private final LongConsumer dropped;
    /** The oldest first. */
    private final LinkedHashMap<Id, State> packets = new LinkedHashMap<>();
    private int held;

    /**
     * The fields that all fragments of a packet share (RFC 791, section 3.2; RFC 8200, section 4.5).
     *
     * @param protocol 0 in IPv6, where fragments may name different ones
     */
    private record Id(InetAddress source, InetAddress destination, int protocol, long identification) {
        static Id of(final FirstPacket packet) {
            final var connection = packet.connection();
            return new Id(connection.source(), connection.destination(),
                connection.source() instanceof Inet6Address ? 0 : connection.protocol(),
                packet.fragment().orElseThrow().identification());
        }
    }

    /**
     * One packet.
     *
     * @param sinceNs when its first fragment came, or before that the fragment that came first
     * @param held fragments that wait for the connection
     */
    private record State(long sinceNs, Optional<Connection> connection, List<FirstPacket> held) { }

    /**
     * Begins with nothing.
     *
     * @param dropped takes how many fragments are not passed on
     */
    FragmentedPackets(final LongSupplier nowNs, final LongConsumer dropped) {
        this.nowNs = nowNs;
        this.dropped = dropped;
    }

    /** Takes note of a first fragment; returns the fragments that waited for it, in order, with its connection. */
    List<FirstPacket> begin(final FirstPacket first) {
        final var before = remove(Id.of(first));
        put(Id.of(first), new State(nowNs.getAsLong(), Optional.of(first.connection()), List.of()));
        return before.stream().flatMap(state -> state.held().stream())
            .map(later -> of(later, first.connection())).toList();
    }

    /** A fragment with the connection of its packet; nothing as long as that is not known. */
    Optional<FirstPacket> completed(final FirstPacket later) {
        return Optional.ofNullable(packets.get(Id.of(later))).flatMap(State::connection)
            .map(connection -> of(later, connection));
    }

    /** Lets a fragment wait for the first one of its packet; drops it if too many wait. */
    void hold(final FirstPacket later) {
        final var id = Id.of(later);
        if (!packets.containsKey(id)) {
            put(id, new State(nowNs.getAsLong(), Optional.empty(), new ArrayList<>()));
        }
        final var waiting = packets.get(id).held();
        if (held == HELD || waiting.size() == HELD_EACH) {
            dropped.accept(1);
        } else {
            held++;
            waiting.add(later);
        }
    }

    /** Forgets the packets that are too old, and drops the fragments that still wait. */
    void expire() {
        final long now = nowNs.getAsLong();
        while (!packets.isEmpty() && now - packets.firstEntry().getValue().sinceNs() >= LIFETIME_NS) {
            dropEldest();
        }
    }

    private void put(final Id id, final State state) {
        if (packets.size() == PACKETS) {
            dropEldest();
        }
        packets.putLast(id, state);
    }

    private void dropEldest() {
        final Map.Entry<Id, State> eldest = packets.firstEntry();
        remove(eldest.getKey()).filter(state -> !state.held().isEmpty()).ifPresent(state ->
            dropped.accept(state.held().size()));
    }

    private Optional<State> remove(final Id id) {
        final var state = Optional.ofNullable(packets.remove(id));
        held -= state.map(gone -> gone.held().size()).orElse(0);
        return state;
    }

    private static FirstPacket of(final FirstPacket fragment, final Connection connection) {
        return new FirstPacket(fragment.ingress(), connection, fragment.fragment(), fragment.frame());
    }
}

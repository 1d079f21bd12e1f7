// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.FirstPackets;
import io.sluice.api.FirstPackets.FirstPacket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Packets whose flow is being installed, and connections that were refused lately. Bounded. */
final class Waiting {
    /** A connection sends few packets before it has an answer. */
    private static final int PACKETS = 16;
    private static final int REFUSALS = 4096;
    private static final int RELEASED = 4096;
    /** A packet of a placed flow that still reaches the controller was under way; the same one soon would go round. */
    private static final long REPEAT_NS = 50_000_000;

    private final FirstPackets firstPackets;
    private final Consumer<FirstPacket> relay;
    private final Answers answers;
    private final LongSupplier nowNs;
    private final LongConsumer dropped;
    private final Map<Connection, List<FirstPacket>> packets = new HashMap<>();
    private final Map<Connection, Released> released = new HashMap<>();
    private final Set<Connection> refused = new HashSet<>();

    /** Hashes of the frames of a connection that were put back since a time. */
    private record Released(long sinceNs, Set<Integer> frames) { }

    /**
     * Begins with nothing.
     *
     * @param relay takes fragments whose flow is placed: no entry would
     * @param dropped takes how many packets are not passed on
     */
    Waiting(final FirstPackets firstPackets, final Consumer<FirstPacket> relay, final LongSupplier nowNs,
            final LongConsumer dropped) {
        this.firstPackets = firstPackets;
        this.relay = relay;
        answers = new Answers(firstPackets);
        this.nowNs = nowNs;
        this.dropped = dropped;
    }

    /** True if the packet's connection is being installed, in either direction; the packet waits then. */
    boolean joins(final FirstPacket packet) {
        final var queue = packets.getOrDefault(packet.connection(), packets.get(packet.connection().reversed()));
        if (queue != null && queue.size() < PACKETS) {
            queue.add(packet);
        } else if (queue != null) {
            dropped.accept(1);
        }
        return queue != null;
    }

    /**
     * Lets a packet, and those of its connection that come, wait for their path. A fragment needs no entry and is
     * relayed at once: Linux gives a datagram up when 64 fragments of others came in between (ipfrag_max_dist).
     */
    void begin(final FirstPacket packet) {
        final var queue = new ArrayList<FirstPacket>();
        packets.put(packet.connection(), queue);
        if (packet.fragment().isPresent()) {
            relay.accept(packet);
        } else {
            queue.add(packet);
        }
    }

    /** Lets the packets of a connection go along its path; refuses them if it has none. */
    void end(final Connection connection, final boolean placed) {
        final var queue = packets.remove(connection);
        if (placed) {
            queue.forEach(this::release);
        } else {
            queue.forEach(packet -> answers.refuse(packet, false));
            dropped.accept(queue.size());
        }
    }

    /**
     * Puts back a packet that was overtaken by its flow's installation: each one once in {@link #REPEAT_NS}, and {@link
     * #PACKETS} of a connection; always if too many connections were put back.
     */
    void releaseSometimes(final FirstPacket packet) {
        final long now = nowNs.getAsLong();
        if (released.size() >= RELEASED) {
            released.values().removeIf(last -> now - last.sinceNs() > REPEAT_NS);
        }
        final var connection = packet.connection();
        if (released.containsKey(connection) && now - released.get(connection).sinceNs() > REPEAT_NS) {
            released.remove(connection);
        }
        if (!released.containsKey(connection) && released.size() < RELEASED) {
            released.put(connection, new Released(now, new HashSet<>()));
        }
        final var last = released.get(connection);
        if (last == null || last.frames().size() < PACKETS && last.frames().add(Arrays.hashCode(packet.frame()))) {
            release(packet);
        } else {
            dropped.accept(1);
        }
    }

    private void release(final FirstPacket packet) {
        if (packet.fragment().isPresent()) {
            relay.accept(packet);
        } else {
            firstPackets.release(packet);
        }
    }

    /** True if the refusal is news. */
    boolean refuse(final Connection connection) {
        return refused.size() < REFUSALS && refused.add(connection);
    }

    void forgetRefusals() {
        refused.clear();
        released.clear();
    }
}

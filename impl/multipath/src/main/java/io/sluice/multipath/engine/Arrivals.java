// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.FirstPackets.FirstPacket;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * First packets in the order in which they came, one a turn of the loop: what else there is to do, the installation of
 * flows above all, takes its turns between them, however many packets wait. What waits is bounded; packets beyond it
 * are counted, and turned away together, by one task. Thread-safe.
 */
final class Arrivals {
    /** So many packets wait at most. */
    static final int ROOM = 4096;

    private final Executor loop;
    private final Consumer<FirstPacket> handler;
    private final Consumer<Surplus> refuser;
    private final Queue<FirstPacket> waiting = new ArrayDeque<>();
    private Optional<Surplus> surplus = Optional.empty();

    /**
     * Packets for which there was no room.
     *
     * @param first of them
     * @param packets how many there were, 1 or more
     */
    record Surplus(FirstPacket first, long packets) { }

    /**
     * Hands packets over on {@code loop}.
     *
     * @param refuser is told of those for which there was no room
     */
    Arrivals(final Executor loop, final Consumer<FirstPacket> handler, final Consumer<Surplus> refuser) {
        this.loop = loop;
        this.handler = handler;
        this.refuser = refuser;
    }

    synchronized void add(final FirstPacket packet) {
        if (waiting.size() == ROOM) {
            turnAway(packet);
            return;
        }
        waiting.add(packet);
        if (waiting.size() == 1) {
            loop.execute(this::next);
        }
    }

    private void turnAway(final FirstPacket packet) {
        if (surplus.isEmpty()) {
            loop.execute(() -> refuser.accept(counted()));
        }
        surplus = Optional.of(surplus.map(known -> new Surplus(known.first(), known.packets() + 1))
            .orElseGet(() -> new Surplus(packet, 1)));
    }

    private synchronized Surplus counted() {
        final var all = surplus.orElseThrow();
        surplus = Optional.empty();
        return all;
    }

    private void next() {
        try {
            handler.accept(first());
        } finally {
            goOn();
        }
    }

    private synchronized FirstPacket first() {
        return waiting.element();
    }

    private synchronized void goOn() {
        waiting.remove();
        if (!waiting.isEmpty()) {
            loop.execute(this::next);
        }
    }
}

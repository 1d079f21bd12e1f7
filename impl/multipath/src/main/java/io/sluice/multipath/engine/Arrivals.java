// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.FirstPackets.FirstPacket;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * First packets in the order in which they came, one a turn of the loop: what else there is to do, the installation of
 * flows above all, takes its turns between them, however many packets wait. What waits is bounded; each packet beyond
 * it is a task of its own, which turns it away. Thread-safe.
 */
final class Arrivals {
    /** So many packets wait at most. */
    static final int ROOM = 4096;

    private final Executor loop;
    private final Consumer<FirstPacket> handler;
    private final Consumer<FirstPacket> refuser;
    private final Queue<FirstPacket> waiting = new ArrayDeque<>();

    /**
     * Hands packets over on {@code loop}.
     *
     * @param refuser gets those for which there is no room
     */
    Arrivals(final Executor loop, final Consumer<FirstPacket> handler, final Consumer<FirstPacket> refuser) {
        this.loop = loop;
        this.handler = handler;
        this.refuser = refuser;
    }

    synchronized void add(final FirstPacket packet) {
        if (waiting.size() == ROOM) {
            loop.execute(() -> refuser.accept(packet));
            return;
        }
        waiting.add(packet);
        if (waiting.size() == 1) {
            loop.execute(this::next);
        }
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

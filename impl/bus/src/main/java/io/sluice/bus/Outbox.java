// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * Frames of a node on their way to the thread that owns its socket: as many as the socket holds, and those that tell of
 * the session. Not thread-safe.
 */
final class Outbox {
    private final ArrayDeque<Frame> frames = new ArrayDeque<>();
    private final int limit;

    Outbox(final int limit) {
        this.limit = limit;
    }

    /** Returns false, and has not taken the frame, if there is no room. Asking for a session voids what waits. */
    boolean offer(final Frame frame) {
        if (frame.kind() == Kind.HELLO) {
            clear();
        } else if (frames.size() >= limit && !frame.kind().isOfSession()) {
            return false;
        }
        frames.addLast(frame);
        return true;
    }

    /** Sends what there is, until that fails. */
    void drain(final Predicate<Frame> wire) {
        while (!frames.isEmpty() && wire.test(frames.getFirst())) {
            frames.removeFirst();
        }
    }

    boolean isEmpty() {
        return frames.isEmpty();
    }

    void clear() {
        frames.clear();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What a subscriber knows of one stream: delivers each message once and in order, and finds and mends holes.
 * <pre>
 *             first message            next message is not the expected one: hold it, ask
 *   (unknown) -------------&gt; IN ORDER -----------------------------------------------------&gt; HOLE
 *                               ^                                                            |  ^ | each s:    
 *                               |  the missing came, or are known to be gone,                |  +-+ ask again
 *                               +------------------------------------------------------------+
 *                                  or nobody answered for 30 s: gap, then what was held
 * </pre>
 * The last message may come again as withdrawn, and as it was once its publisher is back. Not thread-safe.
 */
final class StreamTracker {
    /** Messages that are held back behind a hole; what does not fit is asked for later. */
    static final int HELD_LIMIT = 4096;
    /** Messages that are asked for at a time. */
    static final int ASK_LIMIT = 1024;
    /** Ticks without progress after which a hole is given up: 30 s. */
    static final int PATIENCE_TICKS = 120;
    /** Ticks without progress after which a question is repeated: 1 s. */
    static final int ASK_AGAIN_TICKS = 4;

    /** What comes of frames and time. */
    interface Outlet {
        /** The next message of the stream. */
        void deliver(Frame frame);

        /**
         * Messages are gone.
         *
         * @param messages how many, 0 if not known
         */
        void gap(long messages, String reason);

        /** Asks the publisher for messages of the stream. */
        void ask(long epoch, long first, long last);

        /** Something came that was there already. */
        void duplicate();
    }

    private final Outlet outlet;
    private final NavigableMap<Long, Frame> held = new TreeMap<>();
    private boolean known;
    private long epoch;
    private long next;
    private long highest;
    private long asked;
    private int idleTicks;
    private Frame last;

    StreamTracker(final Outlet outlet) {
        this.outlet = outlet;
    }

    /** Returns the message that was delivered last, or null if there is none or some after it are gone. */
    Frame last() {
        return last;
    }

    /** Returns whether a hole is being mended. */
    private boolean hasHole() {
        return known && next <= highest;
    }

    /** Takes {@code DATA}, {@code REPLAYED} or {@code GAP} of this stream. */
    void accept(final Frame frame) {
        if (!known || frame.epoch() > epoch) {
            if (frame.kind() == Kind.DATA) {
                enter(frame);
            } else {
                return;
            }
        }
        if (frame.epoch() < epoch) {
            outlet.duplicate();
        } else if (frame.kind() == Kind.GAP) {
            skip(frame);
        } else {
            take(frame);
        }
    }

    private void enter(final Frame first) {
        if (known) {
            giveUp("the publisher restarted");
            outlet.gap(0, "the publisher restarted; what it sent last before that may be missing");
        }
        next = known ? 1 : first.mark();
        known = true;
        epoch = first.epoch();
        highest = first.sequence();
        asked = 0;
    }

    private void take(final Frame frame) {
        if (frame.sequence() < next || held.containsKey(frame.sequence())) {
            takeAgain(frame);
            return;
        }
        highest = Math.max(highest, frame.sequence());
        if (frame.sequence() == next) {
            deliver(frame);
            deliverHeld();
        } else if (held.size() < HELD_LIMIT) {
            held.put(frame.sequence(), frame);
        }
        askOn();
    }

    /** A duplicate, unless the proxy withdraws the last message in the publisher's place, or has it back. */
    private void takeAgain(final Frame frame) {
        final var there = frame.sequence() == next - 1 ? last : held.get(frame.sequence());
        final boolean withdrawn = there != null && there.isEmpty();
        if (frame.kind() != Kind.DATA || frame.sequence() < next - 1 || frame.isEmpty() == withdrawn) {
            outlet.duplicate();
        } else if (frame.sequence() < next) {
            last = frame;
            outlet.deliver(frame);
        } else {
            held.put(frame.sequence(), frame);
        }
    }

    private void skip(final Frame gone) {
        if (!hasHole() || gone.mark() < next || gone.sequence() > next) {
            return;
        }
        skipTo(Math.min(gone.mark(), firstHeld() - 1) + 1, "no longer kept by the publisher");
        askOn();
    }

    private void skipTo(final long sequence, final String reason) {
        outlet.gap(sequence - next, reason);
        next = sequence;
        last = null;
        idleTicks = 0;
        deliverHeld();
    }

    private void deliverHeld() {
        while (!held.isEmpty() && held.firstKey() == next) {
            deliver(held.pollFirstEntry().getValue());
        }
    }

    private void deliver(final Frame frame) {
        next++;
        idleTicks = 0;
        last = frame;
        outlet.deliver(frame);
    }

    private long firstHeld() {
        return held.isEmpty() ? highest + 1 : held.firstKey();
    }

    private void askOn() {
        if (hasHole() && asked < next) {
            asked = Math.min(firstHeld() - 1, next + ASK_LIMIT - 1);
            outlet.ask(epoch, next, asked);
        }
    }

    /** Lets a quarter of a second pass. */
    void tick() {
        if (!hasHole()) {
            return;
        }
        idleTicks++;
        if (idleTicks >= PATIENCE_TICKS) {
            skipTo(firstHeld(), "no answer for 30 s");
        }
        if (idleTicks % ASK_AGAIN_TICKS == 0) {
            askAgain();
        }
    }

    /** Asks for what is missing, although it has been asked for. */
    void askAgain() {
        asked = 0;
        askOn();
    }

    private void giveUp(final String reason) {
        while (hasHole()) {
            skipTo(firstHeld(), reason);
        }
    }
}

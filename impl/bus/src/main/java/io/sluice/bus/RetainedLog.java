// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a publisher keeps: the last value of each topic, and the newest messages over all topics up to a number and a
 * size. It numbers what it takes. A topic that was withdrawn is forgotten after a day; if it is used again, it is
 * another stream, of a higher epoch. Not thread-safe.
 */
final class RetainedLog {
    private final String publisher;
    private final BusLimits limits;
    private final Map<String, Kept> topics = new HashMap<>();
    private final Withdrawals<String> withdrawals = new Withdrawals<>();
    private final ArrayDeque<Kept> order = new ArrayDeque<>();
    private long epoch;
    private long octets;

    RetainedLog(final String publisher, final long epoch, final BusLimits limits) {
        this.publisher = publisher;
        this.epoch = epoch;
        this.limits = limits;
    }

    /** The messages of a topic that are kept, oldest first, without a hole; {@code last} stays when they went. */
    private static final class Kept {
        private final ArrayDeque<Frame> frames = new ArrayDeque<>();
        private Frame last;

        Kept(final Frame first) {
            last = first;
        }
    }

    /**
     * Takes the next message of the topic; older ones, of any topic, may have to go.
     *
     * @return nothing if the topic is new and there is no room for another one
     */
    Optional<Frame> append(final String topic, final byte[] body) {
        final var former = last(topic);
        if (former == null && topics.size() >= limits.streams()) {
            return Optional.empty();
        }
        final var frame = new Frame(Kind.DATA, publisher, topic, former == null ? epoch : former.epoch(),
            former == null ? 1 : former.sequence() + 1, 1, body);
        final var kept = topics.computeIfAbsent(topic, key -> new Kept(frame));
        kept.last = frame;
        kept.frames.addLast(frame);
        order.addLast(kept);
        octets += body.length;
        while (order.size() > limits.retainedMessages() || octets > limits.retainedOctets()) {
            octets -= order.removeFirst().frames.removeFirst().body().length;
        }
        withdrawals.note(topic, body.length == 0);
        return Optional.of(frame);
    }

    /** Lets a quarter of a second pass. */
    void tick() {
        final var over = withdrawals.tick();
        if (!over.isEmpty()) {
            over.forEach(topics::remove);
            epoch++;
        }
    }

    /** Returns the last value of the topic, or null. */
    Frame last(final String topic) {
        final var kept = topics.get(topic);
        return kept == null ? null : kept.last;
    }

    /** Returns the topics that have a last value. */
    Collection<String> topics() {
        return Collections.unmodifiableSet(topics.keySet());
    }

    /** Returns how many messages are kept, over all topics. */
    int size() {
        return order.size();
    }

    /** Returns what answers a {@code REPLAY}, in order: at most one {@code GAP}, then messages. */
    List<Frame> replay(final Frame wanted) {
        final var answer = new ArrayList<Frame>();
        final var named = topics.get(wanted.topic());
        final var kept = named != null && named.last.epoch() == wanted.epoch() ? named : null;
        final long oldest = kept == null ? Long.MAX_VALUE
            : kept.frames.isEmpty() ? kept.last.sequence() : kept.frames.getFirst().sequence();
        if (wanted.sequence() < oldest) {
            answer.add(new Frame(Kind.GAP, publisher, wanted.topic(), wanted.epoch(), wanted.sequence(),
                Math.min(wanted.mark(), oldest - 1)));
        }
        if (kept != null && wanted.mark() >= oldest) {
            final var frames = kept.frames.isEmpty() ? List.of(kept.last) : kept.frames;
            frames.stream().filter(frame -> frame.sequence() >= wanted.sequence() && frame.sequence() <= wanted.mark())
                .map(frame -> frame.as(Kind.REPLAYED, frame.mark())).forEach(answer::add);
        }
        return answer;
    }
}

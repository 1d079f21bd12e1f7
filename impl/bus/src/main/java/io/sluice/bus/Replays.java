// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Who waits at a proxy for which messages of which stream, so that many who miss the same ask once. Not thread-safe.
 */
final class Replays {
    private final Map<StreamId, List<Waiting>> waiting = new HashMap<>();

    /** A peer that asked for {@code next} to {@code last} and has got what is before {@code next}. */
    private static final class Waiting {
        private final Peer peer;
        private final long epoch;
        private final long last;
        private long next;

        Waiting(final Peer peer, final Frame replay) {
            this.peer = peer;
            epoch = replay.epoch();
            next = replay.sequence();
            last = replay.mark();
        }
    }

    /**
     * Notes a {@code REPLAY} of the peer.
     *
     * @return whether it has to be passed on: nobody else waits for all of it, or the peer asks again
     */
    boolean ask(final Peer peer, final Frame replay) {
        final var all = waiting.computeIfAbsent(replay.stream(), key -> new ArrayList<>());
        final boolean again = all.removeIf(one -> one.peer == peer);
        final boolean underWay = all.stream().anyMatch(one -> one.epoch == replay.epoch()
            && one.next <= replay.sequence() && one.last >= replay.mark());
        all.add(new Waiting(peer, replay));
        return again || !underWay;
    }

    /** Gives {@code REPLAYED} or {@code GAP} to those who wait for it, and returns them. */
    List<Peer> answer(final Frame frame) {
        final var all = waiting.get(frame.stream());
        if (all == null) {
            return List.of();
        }
        final var given = new ArrayList<Peer>();
        final long last = frame.kind() == Kind.GAP ? frame.mark() : frame.sequence();
        for (final var one : all) {
            if (one.epoch == frame.epoch() && one.next <= last && frame.sequence() <= one.last) {
                one.peer.link.reply(frame);
                given.add(one.peer);
                one.next = last + 1;
            }
        }
        all.removeIf(one -> one.next > one.last);
        if (all.isEmpty()) {
            waiting.remove(frame.stream());
        }
        return given;
    }

    /** Returns the questions that nobody has answered, of streams whose publisher is meant, once each. */
    List<Frame> open(final Predicate<NodeName> publishers) {
        final var questions = new ArrayList<Frame>();
        waiting.forEach((stream, all) -> {
            if (publishers.test(stream.publisher())) {
                all.stream().map(one -> new Frame(Kind.REPLAY, stream.publisher().toString(), stream.topic().text(),
                    one.epoch, one.next, one.last)).distinct().forEach(questions::add);
            }
        });
        return questions;
    }

    /** Forgets what the peer waits for. */
    void forget(final Peer peer) {
        waiting.values().removeIf(all -> all.removeIf(one -> one.peer == peer) && all.isEmpty());
    }
}

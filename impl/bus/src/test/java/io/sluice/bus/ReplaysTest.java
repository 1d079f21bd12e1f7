// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplaysTest {
    private final Replays replays = new Replays();
    private final List<Frame> toFirst = new ArrayList<>();
    private final List<Frame> toSecond = new ArrayList<>();
    private final Peer first = peer(toFirst);
    private final Peer second = peer(toSecond);

    private static Peer peer(final List<Frame> sent) {
        final var link = new Link(sent::add, "A", false, 100);
        link.receive(new Frame(Kind.HELLO, "A/node", "", 0, 1, 0));
        sent.clear();
        return new Peer(link, false, "A/node");
    }

    private static Frame of(final Kind kind, final long sequence, final long mark) {
        return new Frame(kind, "B/publisher", "/topic", 1, sequence, mark);
    }

    @Test
    void twoWhoMissTheSameAskOnceAndBothGetIt() {
        assertTrue(replays.ask(first, of(Kind.REPLAY, 1, 3)));
        assertFalse(replays.ask(second, of(Kind.REPLAY, 2, 3)));

        for (int sequence = 1; sequence <= 3; sequence++) {
            replays.answer(of(Kind.REPLAYED, sequence, 1));
        }

        assertEquals(List.of(1L, 2L, 3L), toFirst.stream().map(Frame::sequence).toList());
        assertEquals(List.of(2L, 3L), toSecond.stream().map(Frame::sequence).toList());
        assertEquals(List.of(), replays.open(publisher -> true));
    }

    @Test
    void whatNobodyWaitsForOrWasGivenAlreadyIsAskedFor() {
        assertTrue(replays.ask(first, of(Kind.REPLAY, 1, 3)));
        assertTrue(replays.ask(second, of(Kind.REPLAY, 1, 4)), "4 is not under way");
        replays.forget(second);
        replays.answer(of(Kind.REPLAYED, 1, 1));

        assertTrue(replays.ask(second, of(Kind.REPLAY, 1, 3)), "1 has passed");
    }

    @Test
    void whoAsksAgainIsPassedOn() {
        assertTrue(replays.ask(first, of(Kind.REPLAY, 1, 3)));
        assertTrue(replays.ask(first, of(Kind.REPLAY, 1, 3)));
    }

    @Test
    void aGapIsAnAnswerToAllThatItCovers() {
        replays.ask(first, of(Kind.REPLAY, 1, 5));
        replays.ask(second, of(Kind.REPLAY, 4, 5));

        replays.answer(of(Kind.GAP, 1, 3));

        assertEquals(1, toFirst.size());
        assertEquals(0, toSecond.size());
        assertEquals(List.of(4L), replays.open(publisher -> true).stream().map(Frame::sequence).toList(), "once");
    }

    @Test
    void anAnswerOfAnotherEpochIsNone() {
        replays.ask(first, of(Kind.REPLAY, 1, 5));

        replays.answer(new Frame(Kind.REPLAYED, "B/publisher", "/topic", 2, 1, 1));

        assertEquals(0, toFirst.size());
    }
}

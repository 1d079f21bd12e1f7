// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits for the thread of a node's socket. */
class OutboxTest {
    private final Outbox outbox = new Outbox(2);

    private static Frame frame(final Kind kind, final long sequence) {
        return new Frame(kind, "A/one", "", 0, sequence, 0);
    }

    private List<Long> sent() {
        final var sent = new ArrayList<Long>();
        outbox.drain(frame -> sent.add(frame.sequence()));
        return sent;
    }

    @Test
    void callsThatNobodyHearsDoNotPileUp() {
        for (int i = 1; i <= 1000; i++) {
            assertTrue(outbox.offer(frame(Kind.HELLO, i)));
        }
        assertEquals(List.of(1000L), sent());
    }

    @Test
    void whatTellsOfTheSessionFindsRoom() {
        assertTrue(outbox.offer(frame(Kind.DATA, 1)));
        assertTrue(outbox.offer(frame(Kind.DATA, 2)));
        assertFalse(outbox.offer(frame(Kind.DATA, 3)));
        assertTrue(outbox.offer(frame(Kind.STATUS, 4)));
        assertEquals(List.of(1L, 2L, 4L), sent());
        assertTrue(outbox.isEmpty());
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.TopicFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a link says by itself. */
class LinkTest {
    private final List<Frame> sent = new ArrayList<>();
    private final Link link = new Link(sent::add, "A/one", true, 16);

    private void connect() {
        link.tick();
        assertEquals(Link.Event.BEGUN, link.receive(new Frame(Kind.WELCOME, "A", "", 0, 1, 0)));
    }

    /** Returns the wishes of what the link tells in so many quarters of a second, in which it says nothing else. */
    private List<Integer> told(final int ticks) {
        sent.clear();
        for (int i = 0; i < ticks; i++) {
            link.tick();
        }
        assertTrue(sent.stream().allMatch(frame -> frame.kind() == Kind.STATUS), sent::toString);
        return sent.stream().map(Frame::count).toList();
    }

    private void confirm(final long frames) {
        link.receive(new Frame(Kind.STATUS, "", "", 1, 0, frames));
    }

    private List<String> filtersSent() {
        final var told = sent.stream().filter(frame -> !frame.kind().isOfSession())
            .map(frame -> frame.kind() + frame.topic() + frame.sequence()).toList();
        sent.clear();
        return told;
    }

    @Test
    void filtersWaitForCreditInOrderAndBeforeMessages() {
        connect();
        for (int i = 1; i <= 16; i++) {
            assertTrue(link.subscribe(new TopicFilter("/" + i)));
        }
        assertFalse(link.subscribe(new TopicFilter("/17")));
        assertFalse(link.unsubscribe(new TopicFilter("/17")));
        final var data = new Frame(Kind.DATA, "A/one", "/c1", 1, 1, 1);
        assertFalse(link.forward(data.stream(), data, 1));
        assertTrue(link.isUp());
        assertEquals(16, filtersSent().size());

        confirm(2);
        link.drain(stream -> data);
        assertEquals(List.of("SUBSCRIBE/170", "UNSUBSCRIBE/170"), filtersSent());
        confirm(3);
        link.drain(stream -> data);
        assertEquals(List.of("DATA/c11"), filtersSent());
    }

    @Test
    void aFilterThatWasNeverSentIsNewInTheNextSession() {
        connect();
        for (int i = 1; i <= 17; i++) {
            link.subscribe(new TopicFilter("/" + i));
        }
        link.renew();
        link.receive(new Frame(Kind.WELCOME, "A", "", 0, 2, 0));
        sent.clear();

        link.subscribe(new TopicFilter("/16"));
        link.subscribe(new TopicFilter("/17"));

        assertEquals(List.of("SUBSCRIBE/161", "SUBSCRIBE/170"), filtersSent());
    }

    @Test
    void aWishForAStatusIsAnyNumberButZero() {
        connect();
        for (final var wish : List.of(0, 1, 2)) {
            sent.clear();
            link.receive(new Frame(Kind.STATUS, "", "", 1, 0, 0).counted(wish));
            assertEquals(wish == 0 ? 0 : 1, sent.size());
        }
    }

    @Test
    void countsAreToldEachSecondOrUntilTheyAreConfirmed() {
        connect();
        assertEquals(Collections.nCopies(4, 0), told(16));

        assertTrue(link.offer(new Frame(Kind.DATA, "A/one", "/c1", 1, 1, 1)));
        assertEquals(Collections.nCopies(3, 1), told(3));

        link.receive(new Frame(Kind.STATUS, "", "", 1, 0, 1));
        assertEquals(Collections.nCopies(1, 0), told(4));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a publisher keeps of its topics, and for how long. */
class RetainedLogTest {
    private static final byte[] VALUE = {'1'};
    private static final byte[] WITHDRAWN = {};

    private final RetainedLog log = new RetainedLog("A/one", 5, new BusLimits(4, 100, 1000, 10, 2));

    private void passADay() {
        for (int i = 0; i < Withdrawals.EXPIRY_TICKS; i++) {
            log.tick();
        }
    }

    @Test
    void aNewTopicNeedsRoomAndAKnownOneDoesNot() {
        log.append("/a", VALUE);
        log.append("/b", VALUE);
        assertTrue(log.append("/c", VALUE).isEmpty());
        assertEquals(2, log.append("/a", WITHDRAWN).orElseThrow().sequence());
        assertTrue(log.append("/c", VALUE).isEmpty(), "not everybody has heard of it");

        passADay();

        assertEquals(1, log.append("/c", VALUE).orElseThrow().sequence());
    }

    @Test
    void aForgottenTopicComesBackAsAnotherStreamAndOthersGoOn() {
        log.append("/a", VALUE);
        log.append("/b", VALUE);
        log.append("/a", WITHDRAWN);
        passADay();
        assertNull(log.last("/a"));

        final var again = log.append("/a", VALUE).orElseThrow();

        assertEquals(List.of(6L, 1L), List.of(again.epoch(), again.sequence()));
        final var other = log.append("/b", VALUE).orElseThrow();
        assertEquals(List.of(5L, 2L), List.of(other.epoch(), other.sequence()));
    }

    @Test
    void aReplayIsOfTheStreamThatIsMeant() {
        log.append("/a", VALUE);
        log.append("/a", WITHDRAWN);
        passADay();
        log.append("/a", VALUE);

        assertEquals(List.of(Kind.GAP), kinds(5, 2));
        assertEquals(List.of(Kind.REPLAYED), kinds(6, 1));
    }

    private List<Kind> kinds(final long epoch, final long last) {
        return log.replay(new Frame(Kind.REPLAY, "A/one", "/a", epoch, 1, last)).stream().map(Frame::kind).toList();
    }
}

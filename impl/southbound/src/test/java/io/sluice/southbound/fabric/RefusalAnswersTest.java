// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.RefusalAnswers.Outcome;
import io.sluice.southbound.packet.Frames;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RefusalAnswersTest {
    private static final PortId PORT = new PortId(new SwitchId("openflow:1"), 7);
    private static final byte[] TCP = frame(FlowMatch.PROTOCOL_TCP);
    private static final byte[] UDP = frame(FlowMatch.PROTOCOL_UDP);

    private final ManualClock clock = new ManualClock();
    private final List<PortId> sent = new ArrayList<>();
    private final RefusalAnswers answers = new RefusalAnswers(new PacketWire() {
        @Override
        public void send(final PortId port, final byte[] frame) {
            sent.add(port);
        }

        @Override
        public void resubmit(final PortId ingress, final byte[] frame) {
            throw new AssertionError("nothing is put back");
        }
    }, clock);

    @Test
    void answersLeaveByThePortWhereThePacketCameInAndAreCountedByKind() {
        answers.answer(PORT, TCP);
        answers.answer(PORT, UDP);
        answers.answer(PORT, UDP);
        answers.answer(PORT, new byte[60]);
        assertEquals(List.of(PORT, PORT, PORT), sent);
        assertEquals(Map.of(Outcome.RESET, 1L, Outcome.UNREACHABLE, 2L, Outcome.UNANSWERABLE, 1L), answers.outcomes());
    }

    @Test
    void soManyAreAnsweredAtOnceAndThenSoManyASecond() {
        answer(RefusalAnswers.BURST + 5);
        assertEquals(Map.of(Outcome.RESET, (long) RefusalAnswers.BURST, Outcome.WITHHELD, 5L), answers.outcomes());
        clock.advance(Duration.ofMillis(100));
        sent.clear();
        answer(RefusalAnswers.RATE);
        assertEquals(RefusalAnswers.RATE / 10, sent.size());
    }

    @Test
    void aLongPauseSavesUpNoMoreThanOneBurst() {
        clock.advance(Duration.ofDays(30));
        answer(2 * RefusalAnswers.BURST);
        assertEquals(RefusalAnswers.BURST, sent.size());
    }

    @Test
    void whatIsNotAnsweredCostsNothing() {
        for (int i = 0; i < 2 * RefusalAnswers.BURST; i++) {
            answers.answer(PORT, new byte[60]);
        }
        answer(1);
        assertEquals(1, sent.size());
    }

    private void answer(final int packets) {
        for (int i = 0; i < packets; i++) {
            answers.answer(PORT, TCP);
        }
    }

    private static byte[] frame(final int protocol) {
        return Frames.ip(new MacAddress(0x0a0000000001L), new MacAddress(0x0a0000000002L),
            new Connection(protocol, Addresses.ip("10.0.0.1"), Addresses.ip("10.0.0.2"), 1234, 80));
    }
}

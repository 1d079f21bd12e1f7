// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.api.Connection;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.Arrivals.Surplus;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.HandLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private final HandLoop loop = new HandLoop();
    private final List<Integer> done = new ArrayList<>();
    /** Number of the first packet, and how many there were. */
    private final List<List<Long>> refused = new ArrayList<>();
    private final Arrivals arrivals = new Arrivals(loop, packet -> done.add(number(packet)), this::refuse);

    @Test
    void otherTasksTakeTheirTurnsBetweenPackets() {
        IntStream.rangeClosed(1, 3).forEach(number -> arrivals.add(packet(number)));
        loop.execute(() -> done.add(0));
        loop.run();
        assertEquals(List.of(1, 0, 2, 3), done);
        arrivals.add(packet(4));
        loop.run();
        assertEquals(List.of(1, 0, 2, 3, 4), done);
    }

    @Test
    void packetsForWhichThereIsNoRoomAreCountedAndTurnedAwayTogether() {
        for (int first : new int[] {1, 20_000}) {
            IntStream.range(first, first + Arrivals.ROOM + 3).forEach(number -> arrivals.add(packet(number)));
            loop.run();
        }
        assertEquals(2 * Arrivals.ROOM, done.size());
        assertEquals(List.of(List.of(1L + Arrivals.ROOM, 3L), List.of(20_000L + Arrivals.ROOM, 3L)), refused);
    }

    @Test
    void aPacketThatCannotBeHandledHoldsUpNoOther() {
        final var failing = new Arrivals(loop, packet -> {
            if (number(packet) == 1) {
                throw new IllegalStateException("a bug");
            }
            done.add(number(packet));
        }, this::refuse);
        failing.add(packet(1));
        failing.add(packet(2));
        assertThrows(IllegalStateException.class, loop::run);
        loop.run();
        assertEquals(List.of(2), done);
    }

    private void refuse(final Surplus surplus) {
        refused.add(List.of((long) number(surplus.first()), surplus.packets()));
    }

    private static FirstPacket packet(final int number) {
        return new FirstPacket(new PortId(new SwitchId("openflow:1"), 1), new Connection(17, Addresses.ip("10.0.0.1"),
            Addresses.ip("10.0.0.2"), number, 80), new byte[0]);
    }

    private static int number(final FirstPacket packet) {
        return packet.connection().sourcePort();
    }
}

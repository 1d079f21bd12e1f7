// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Connection;
import io.sluice.api.FirstPackets;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.api.FlowMatch;
import io.sluice.api.Fragment;
import io.sluice.api.PortId;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.ManualClock;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class WaitingTest {
    private static final int ROOM = 4096;
    /** Packets of this source port open their connection. */
    private static final int OPENING = 1;

    private final ManualClock clock = new ManualClock();
    private final List<FirstPacket> released = new ArrayList<>();
    private final List<FirstPacket> refused = new ArrayList<>();
    private final List<FirstPacket> relayed = new ArrayList<>();
    private long dropped;
    private final Waiting waiting = new Waiting(new FirstPackets() {
        @Override
        public Subscription subscribe(final Consumer<FirstPacket> listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void release(final FirstPacket packet) {
            released.add(packet);
        }

        @Override
        public void refuse(final FirstPacket packet) {
            refused.add(packet);
        }

        @Override
        public boolean opens(final FirstPacket packet) {
            return packet.connection().sourcePort() == OPENING;
        }

        @Override
        public boolean relay(final FirstPacket packet, final InetAddress source, final InetAddress destination) {
            throw new UnsupportedOperationException();
        }
    }, relayed::add, clock, packets -> dropped += packets);

    @Test
    void aPacketThatComesAgainSoonIsNotPutBackAgain() {
        waiting.releaseSometimes(packet(1));
        waiting.releaseSometimes(packet(1));
        assertEquals(1, released.size());
        assertEquals(1, dropped);
        clock.advance(Duration.ofMillis(51));
        waiting.releaseSometimes(packet(1));
        assertEquals(2, released.size());
    }

    /** The fragments of a datagram, or a burst of datagrams, of which the first one was placed meanwhile. */
    @Test
    void otherPacketsOfTheConnectionArePutBackUpToALimit() {
        for (int number = 1; number <= 20; number++) {
            final var first = packet(1);
            waiting.releaseSometimes(new FirstPacket(first.ingress(), first.connection(), new byte[] {(byte) number}));
        }
        assertEquals(16, released.size());
        assertEquals(4, dropped);
    }

    @Test
    void soManyConnectionsAreRememberedAndOthersPutBackEachTime() {
        for (int port = 1; port <= ROOM; port++) {
            waiting.releaseSometimes(packet(port));
        }
        waiting.releaseSometimes(packet(ROOM + 1));
        waiting.releaseSometimes(packet(ROOM + 1));
        assertEquals(ROOM + 2, released.size());
        clock.advance(Duration.ofMillis(51));
        waiting.releaseSometimes(packet(ROOM + 1));
        waiting.releaseSometimes(packet(ROOM + 1));
        assertEquals(ROOM + 3, released.size());
    }

    @Test
    void whatIsNotPassedOnIsCounted() {
        final int most = 16;
        waiting.begin(packet(OPENING));
        for (int more = 0; more < most + 1; more++) {
            assertTrue(waiting.joins(packet(OPENING)));
        }
        assertEquals(2, dropped);
        waiting.end(packet(OPENING).connection(), false);

        assertEquals(2 + most, dropped);
        assertEquals(List.of(), released);
        assertEquals(most, refused.size(), "those that waited are answered");
    }

    @Test
    void aSegmentInMidConnectionIsNotResetForWantOfAPath() {
        waiting.begin(packet(2));
        waiting.end(packet(2).connection(), false);
        assertEquals(1, dropped);
        assertEquals(List.of(), refused);
    }

    @Test
    void aFragmentIsRelayedAtOnceSinceItNeedsNoEntry() {
        final var whole = packet(1);
        final var fragment = new FirstPacket(whole.ingress(), whole.connection(), Optional.of(new Fragment(7, true)),
            whole.frame());
        waiting.begin(fragment);
        assertEquals(List.of(fragment), relayed);
        assertTrue(waiting.joins(whole));
        waiting.end(whole.connection(), true);
        assertEquals(List.of(whole), released);
    }

    private static FirstPacket packet(final int port) {
        return new FirstPacket(new PortId(new SwitchId("openflow:1"), 1), new Connection(FlowMatch.PROTOCOL_TCP,
            Addresses.ip("10.0.0.1"), Addresses.ip("10.0.0.2"), port, 80), new byte[0]);
    }
}

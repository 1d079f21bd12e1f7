// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.FlowTotals.Reading;
import io.sluice.bandwidth.engine.FlowTotals.Total;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums of counters that begin anew, in packets of 100 bytes. */
class FlowTotalsTest {
    private static final FlowId FLOW = EngineBed.id("f");
    private static final long SECOND_NS = 1_000_000_000;

    private final FlowTotals totals = new FlowTotals();

    @BeforeEach
    void know() {
        totals.keep(Set.of(FLOW));
    }

    @Test
    void theFirstReadingCountsAsAWhole() {
        metered(1, 50, 1, 40, 10);

        assertEquals(packets(10), total().dropped());
        assertEquals(packets(30), total().passed());
        assertEquals(packets(50), total().sent());
    }

    @Test
    void aChangedMeterCountsAnewThoughItCountsMoreThanBefore() {
        metered(1, 50, 1, 50, 10);
        metered(2, 110, 2, 60, 20);

        assertEquals(packets(30), total().dropped());
        assertEquals(packets(80), total().passed());
        assertEquals(packets(110), total().sent());
    }

    @Test
    void aChangedMeterMayGoOnCounting() {
        metered(1, 50, 1, 50, 10);
        metered(2, 110, 2, 110, 30);
        metered(3, 120, 3, 119, 31);

        assertEquals(packets(31), total().dropped());
        assertEquals(packets(88), total().passed());
        assertEquals(packets(120), total().sent());
    }

    @Test
    void aCounterThatIsSmallerHasBegunAnew() {
        metered(1, 50, 1, 50, 10);
        metered(2, 20, 1, 20, 5);

        assertEquals(packets(15), total().dropped());
        assertEquals(packets(55), total().passed());
        assertEquals(packets(70), total().sent());
    }

    @Test
    void aCounterOfMorePacketsThatAreSmallerHasBegunAnew() {
        totals.take(FLOW, new Reading(0, 0, new Traffic(10, 15_000), 0, false, Optional.empty(),
            OptionalLong.empty()));
        totals.take(FLOW, new Reading(3 * SECOND_NS, 0, new Traffic(50, 3_000), 0, false, Optional.empty(),
            OptionalLong.empty()));

        assertEquals(new Traffic(60, 18_000), total().passed());
        assertEquals(Optional.of(new Bandwidth(8_000)), total().rate());
    }

    @Test
    void allPassesWithoutAMeterAndWhatWasDroppedStays() {
        unmetered(1, 10);
        metered(2, 60, 2, 50, 30);
        unmetered(3, 100);

        assertEquals(packets(30), total().dropped());
        assertEquals(packets(10 + 20 + 40), total().passed());
    }

    @Test
    void queuesLetPassWhatTheirRateAllows() {
        queued(1, 10);
        queued(2, 40);
        queued(4, 60);

        assertEquals(packets(60), total().sent());
        assertEquals(packets(10 + 20 + 20), total().passed());
    }

    @Test
    void nothingPassesAnEntryThatDrops() {
        metered(1, 50, 1, 50, 30);
        dropping(2, 60);
        dropping(4, 80);
        assertEquals(Optional.of(Bandwidth.ZERO), total().rate());
        metered(5, 100, 3, 20, 5);

        assertEquals(packets(30 + 10 + 20 + 5), total().dropped());
        assertEquals(packets(20 + 15), total().passed());
        assertEquals(packets(100), total().sent());
    }

    @Test
    void theRateIsThatOfWhatPassedOverTwoSecondsAtLeast() {
        metered(1, 100, 1, 100, 90);
        assertEquals(Optional.empty(), total().rate());
        metered(2, 200, 1, 200, 180);
        assertEquals(Optional.empty(), total().rate());
        metered(3, 300, 1, 300, 280);
        assertEquals(Optional.of(new Bandwidth(10 * 800 / 2)), total().rate());
        metered(4, 400, 1, 400, 280);
        assertEquals(Optional.of(new Bandwidth(10 * 800 / 2)), total().rate());

        totals.lose(FLOW);
        assertEquals(Optional.empty(), total().rate());
        assertEquals(packets(280), total().dropped());
    }

    /** With meters that begin to count anew when they change, as those of Open vSwitch, and with others. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingIsLostOrCountedTwiceWhateverChanges(final boolean beginsAnew) {
        final long seed = System.nanoTime();
        final var random = new Random(seed);
        long sent = 0;
        long dropped = 0;
        long version = 1;
        long entered = 0;
        long droppedByMeter = 0;
        for (int step = 1; step < 1000; step++) {
            if (random.nextInt(3) == 0) {
                version++;
                if (beginsAnew || version % 3 == 0) {
                    entered = 0;
                    droppedByMeter = 0;
                }
            }
            final boolean isMetered = version % 3 != 0;
            final int more = random.nextInt(100);
            final int less = isMetered ? random.nextInt(more + 1) : 0;
            sent += more;
            dropped += less;
            if (isMetered) {
                entered += more;
                droppedByMeter += less;
                metered(step, sent, version, entered, droppedByMeter);
            } else {
                unmetered(step, sent);
            }
            assertEquals(packets(dropped), total().dropped(), () -> "seed " + seed);
            assertEquals(packets(sent - dropped), total().passed(), () -> "seed " + seed);
        }
    }

    @Test
    void aFlowThatIsGoneIsForgottenAlsoWhenItsSwitchAnswersLate() {
        unmetered(1, 10);
        totals.keep(Set.of());
        assertEquals(Optional.empty(), totals.of(FLOW));

        unmetered(2, 20);
        assertEquals(Optional.empty(), totals.of(FLOW));
    }

    private void metered(final long second, final long sent, final long version, final long entered,
            final long dropped) {
        totals.take(FLOW, new Reading(second * SECOND_NS, 0, packets(sent), version, false,
            Optional.of(new Metered(0, packets(entered), packets(dropped))), OptionalLong.empty()));
    }

    private void unmetered(final long second, final long sent) {
        totals.take(FLOW, new Reading(second * SECOND_NS, 0, packets(sent), 0, false, Optional.empty(),
            OptionalLong.empty()));
    }

    /** By a queue of 20 packets a second. */
    private void queued(final long second, final long sent) {
        totals.take(FLOW, new Reading(second * SECOND_NS, 0, packets(sent), 0, false, Optional.empty(),
            OptionalLong.of(packets(20).bytes())));
    }

    private void dropping(final long second, final long sent) {
        totals.take(FLOW, new Reading(second * SECOND_NS, 0, packets(sent), 2, true, Optional.empty(),
            OptionalLong.empty()));
    }

    private Total total() {
        return totals.of(FLOW).orElseThrow();
    }

    private static Traffic packets(final long packets) {
        return new Traffic(packets, packets * 100);
    }
}

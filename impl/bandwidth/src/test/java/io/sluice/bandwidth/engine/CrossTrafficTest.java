// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.AllocatableLink.Role;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.PathShare;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A flow that sends three quarters over one link and a quarter over another. */
class CrossTrafficTest {
    private static final FlowId FLOW = EngineBed.id("f");
    private static final long SECOND_NS = 1_000_000_000;
    private static final long MEGABIT_BYTES = 125_000;
    private static final List<AllocatableLink> LINKS = List.of(
        new AllocatableLink("uplink", Role.UPLINK, Bandwidth.ofMegabits(100)),
        new AllocatableLink("wide", Role.INTERNAL, Bandwidth.ofMegabits(100)),
        new AllocatableLink("narrow", Role.INTERNAL, Bandwidth.ofMegabits(100)));
    private static final Map<FlowId, Way.Known> WAYS = Map.of(FLOW, new Way.Known(
        new PortId(EngineBed.node(1), 1),
        List.of(new PathShare(List.of("uplink", "wide"), 3), new PathShare(List.of("uplink", "narrow"), 1))));

    private final PassedBytes passed = new PassedBytes();
    private final CrossTraffic crossTraffic = new CrossTraffic(passed);
    private long second;

    @Test
    void isTheLoadLessWhatTheFlowPassedThere() {
        for (int round = 0; round < 5; round++) {
            round(40, 50, 40);
        }
        assertMegabits(10, 40);
    }

    @Test
    void whatAMeterDropsCountsBeforeItAndNotBehind() {
        for (int round = 0; round < 5; round++) {
            second++;
            passed.take(FLOW, second * 40 * MEGABIT_BYTES, 8000, second * SECOND_NS);
            final long odd = second % 2;
            crossTraffic.note(LINKS, Map.of("uplink", new Bandwidth(60_000_000 + odd), "wide",
                Bandwidth.ofMegabits(16), "narrow", Bandwidth.ofMegabits(2)), WAYS);
        }
        assertEquals(20, crossTraffic.of("uplink").bitsPerSecond() / 1_000_000);
        assertMegabits(10, 0);
    }

    @Test
    void isTheLeastOfThreeAndMovesInSteps() {
        for (int load : new int[] {40, 50, 60, 70, 80}) {
            round(load, 50, 0);
        }
        assertMegabits(60, 50);
        round(63, 50, 0);
        assertMegabits(60, 50);
        round(54, 50, 0);
        assertMegabits(54, 50);
        round(4, 50, 0);
        assertEquals(Bandwidth.ZERO, crossTraffic.of("wide"));
    }

    @Test
    void loadsThatAreNotNewSayNothing() {
        for (int round = 0; round < 5; round++) {
            crossTraffic.note(LINKS, loads(40, 50), Map.of());
        }
        assertMegabits(0, 0);
    }

    @Test
    void linksOfAFlowThatIsNotCountedKeepWhatTheyHad() {
        for (int round = 0; round < 5; round++) {
            round(40, 50, 40);
        }
        for (int round = 0; round < 5; round++) {
            crossTraffic.note(LINKS, loads(90 + round, 90), WAYS);
        }
        assertMegabits(10, 40);
    }

    @Test
    void aMeteredFlowHasPassedNoMoreThanItsRate() {
        passed.take(FLOW, 0, 8000, 0);
        passed.take(FLOW, 10 * MEGABIT_BYTES, 8000, SECOND_NS);
        passed.take(FLOW, 11 * MEGABIT_BYTES, 8000, 2 * SECOND_NS);
        assertEquals(9.0 * MEGABIT_BYTES, passed.of(FLOW).orElseThrow().passed());
    }

    @Test
    void aCounterThatBeginsAnewLosesNothing() {
        passed.take(FLOW, 0, Metering.UNMETERED, 0);
        passed.take(FLOW, MEGABIT_BYTES, Metering.UNMETERED, SECOND_NS);
        passed.take(FLOW, 10, Metering.UNMETERED, 2 * SECOND_NS);
        passed.take(FLOW, 10 + MEGABIT_BYTES, Metering.UNMETERED, 3 * SECOND_NS);
        assertEquals(2.0 * MEGABIT_BYTES, passed.of(FLOW).orElseThrow().passed());
    }

    /** A second in which the links carry so many megabits, and a bit that differs, and the flow sends so many. */
    private void round(final int wide, final int narrow, final int sent) {
        second++;
        passed.take(FLOW, second * sent * MEGABIT_BYTES, Metering.UNMETERED, second * SECOND_NS);
        crossTraffic.note(LINKS, loads(wide, narrow), WAYS);
    }

    private Map<String, Bandwidth> loads(final int wide, final int narrow) {
        return Map.of("uplink", Bandwidth.ZERO, "wide", new Bandwidth(wide * 1_000_000L + second % 2), "narrow",
            Bandwidth.ofMegabits(narrow));
    }

    private void assertMegabits(final long wide, final long narrow) {
        assertEquals(wide, crossTraffic.of("wide").bitsPerSecond() / 1_000_000);
        assertEquals(narrow, crossTraffic.of("narrow").bitsPerSecond() / 1_000_000);
    }
}

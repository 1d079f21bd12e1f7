// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.PortId;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.AllocatableLink.Role;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.PathShare;
import io.sluice.bandwidth.engine.FlowTotals.Reading;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
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
        new PortId(EngineBed.node(1), 1), Map.of(), Set.of(),
        List.of(new PathShare(List.of("uplink", "wide"), 3), new PathShare(List.of("uplink", "narrow"), 1))));

    private final FlowTotals totals = new FlowTotals();
    private final CrossTraffic crossTraffic = new CrossTraffic(totals);
    private long second;

    @BeforeEach
    void know() {
        totals.keep(WAYS.keySet());
    }

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
            totals.take(FLOW, new Reading(second * SECOND_NS, 0, megabits(second * 40), 1, false,
                Optional.of(new Metered(0, megabits(second * 40), megabits(second * 32))),
                OptionalLong.empty()));
            final long odd = second % 2;
            crossTraffic.note(LINKS, Map.of("uplink", new Bandwidth(60_000_000 + odd), "wide",
                new Bandwidth(16_000_000 + odd), "narrow", new Bandwidth(2_000_000 + odd)), WAYS,
                second * SECOND_NS);
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
            crossTraffic.note(LINKS, loads(40, 50), Map.of(), round * SECOND_NS);
        }
        assertMegabits(0, 0);
    }

    @Test
    void aLoadThatIsNotNewSaysNothingBesideOthersThatAre() {
        for (int round = 0; round < 5; round++) {
            crossTraffic.note(LINKS, loads(40, 50 + round), Map.of(), round * SECOND_NS);
        }
        assertMegabits(0, 51);
    }

    @Test
    void linksThatComeAndGoSayNothingOfTheOthersNorOfThemselves() {
        for (int round = 0; round < 6; round++) {
            final var known = LINKS.subList(0, 2 + round % 2);
            final var loads = new HashMap<>(loads(40, 50));
            loads.keySet().retainAll(AllocatableLink.capacities(known).keySet());
            crossTraffic.note(known, loads, Map.of(), round * SECOND_NS);
        }
        assertMegabits(0, 0);
    }

    @Test
    void linksOfAFlowThatIsNotCountedKeepWhatTheyHad() {
        for (int round = 0; round < 5; round++) {
            round(40, 50, 40);
        }
        for (int round = 0; round < 5; round++) {
            crossTraffic.note(LINKS, loads(90 + round, 90), WAYS, (second + round) * SECOND_NS);
        }
        assertMegabits(10, 40);
    }

    @Test
    void flowsThatComeAndGoKeepNobodyFromSeeingTheRest() {
        for (int round = 1; round <= 6; round++) {
            final var fresh = EngineBed.id("f" + round);
            final var last = EngineBed.id("f" + (round - 1));
            totals.keep(Set.of(fresh, last));
            totals.take(last, new Reading(round * SECOND_NS, round, megabits(40), 1, false, Optional.empty(),
                OptionalLong.empty()));
            note(round, Map.of(fresh, WAYS.get(FLOW), last, WAYS.get(FLOW)));
        }
        assertMegabits(10, 40);
    }

    @Test
    void whatAnEarlierFlowOfThePacketsHasSentIsNotTheFlows() {
        for (int round = 0; round < 5; round++) {
            round(40, 50, 40);
        }
        final var renamed = EngineBed.id("renamed");
        totals.keep(Set.of(renamed));
        totals.take(renamed, new Reading(6 * SECOND_NS, 0, megabits(240), 1, false, Optional.empty(),
            OptionalLong.empty()));
        note(6, Map.of(renamed, WAYS.get(FLOW)));
        assertMegabits(10, 40);
    }

    private void note(final int round, final Map<FlowId, Way.Known> ways) {
        crossTraffic.note(LINKS, Map.of("uplink", Bandwidth.ofMegabits(40), "wide",
            new Bandwidth(40_000_000L + round), "narrow", new Bandwidth(50_000_000L + round)), ways, round * SECOND_NS);
    }

    /** A second in which the links carry so many megabits, and a bit that differs, and the flow sends so many. */
    private void round(final int wide, final int narrow, final int sent) {
        second++;
        totals.take(FLOW, new Reading(second * SECOND_NS, 0, megabits(second * sent), 1, false, Optional.empty(),
            OptionalLong.empty()));
        crossTraffic.note(LINKS, loads(wide, narrow), WAYS, second * SECOND_NS);
    }

    private static Traffic megabits(final long megabits) {
        return new Traffic(megabits, megabits * MEGABIT_BYTES);
    }

    private Map<String, Bandwidth> loads(final int wide, final int narrow) {
        return Map.of("uplink", Bandwidth.ZERO, "wide", new Bandwidth(wide * 1_000_000L + second % 2), "narrow",
            new Bandwidth(narrow * 1_000_000L + second % 2));
    }

    private void assertMegabits(final long wide, final long narrow) {
        assertEquals(wide, crossTraffic.of("wide").bitsPerSecond() / 1_000_000);
        assertEquals(narrow, crossTraffic.of("narrow").bitsPerSecond() / 1_000_000);
    }
}

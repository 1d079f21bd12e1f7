// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.INTERVAL_US;
import static io.sluice.bandwidth.engine.EngineBed.config;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.guaranteed;
import static io.sluice.bandwidth.engine.EngineBed.id;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static io.sluice.bandwidth.engine.EngineBed.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.bandwidth.FlowReport;
import io.sluice.testlib.Topologies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the engine makes of counters: what others send, what passes of flows, and what their meters drop. */
class CountedTrafficTest {
    private static final FabricSnapshot NETWORK = Topologies.line(2, 1, 2, new Topologies.Rates(
        Bandwidth.ofMegabits(100), Bandwidth.ofMegabits(10), Bandwidth.ofMegabits(10)));
    private static final String CABLE = NETWORK.links().getFirst().toString();
    private static final FlowReport NOTHING = new FlowReport(0, 0, 0, 0, 0);

    private final EngineBed bed = new EngineBed(NETWORK);

    @Test
    void whatOthersSendIsLeftToThemButForGuarantees() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        for (int round = 1; round <= 6; round++) {
            sendBesides(2_000_000 - round);
            assertEquals(round < 4 ? 5 : 4, bed.megabits("a"), "round " + round);
        }
        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 4000L,
            "openflow:1 " + bed.match(2, 4), 4000L), bed.meters());

        bed.configure(guaranteed(flow("a", 1, 3), 9), flow("b", 2, 4));
        assertEquals(9, bed.megabits("a"));
        assertEquals(Optional.empty(), bed.engine.refusal());
    }

    @Test
    void whatFillsALinkWithoutBeingAskedForLeavesFlowsTheirPart() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        for (int round = 1; round <= 6; round++) {
            sendBesides(10_000_000 - round);
        }
        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 3333L,
            "openflow:1 " + bed.match(2, 4), 3333L), bed.meters());

        bed.configure(guaranteed(flow("a", 1, 3), 7), flow("b", 2, 4));
        assertEquals(List.of(7L, 2L), List.of(bed.megabits("a"), bed.megabits("b")));

        bed.engine.report(id("b"), NOTHING, INTERVAL_US);
        bed.reallocate();
        assertEquals(8, bed.megabits("a"));
    }

    private void sendBesides(final long bitsPerSecond) {
        bed.clock.advance(Duration.ofSeconds(5));
        bed.show(loaded(bitsPerSecond));
        bed.reallocate();
    }

    @Test
    void whatFlowsSendThemselvesIsNoCrossTraffic() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        final int packets = 6250; // in five seconds, of 100 bytes: 1 Mbit/s
        for (int round = 1; round <= 7; round++) {
            for (int sent = 0; sent < packets; sent++) {
                bed.send(1, 3);
            }
            bed.clock.advance(Duration.ofSeconds(5));
            bed.show(loaded(1_000_000 - round));
            bed.reallocate();
            assertEquals(5, bed.megabits("a"), "round " + round);
        }
    }

    private static FabricSnapshot loaded(final long bitsPerSecond) {
        return new FabricSnapshot(bitsPerSecond, NETWORK.switches(), NETWORK.ports(), NETWORK.links().stream()
            .map(link -> link.toString().equals(CABLE) ? new Link(link.source(), link.destination(), link.capacity(),
                new Bandwidth(bitsPerSecond)) : link).toList(), NETWORK.hosts());
    }

    @Test
    void whatMetersDropIsCountedThroughChangesOfTheirRates() {
        bed.configure(limited(flow("a", 1, 3), 1));
        bed.flood(1, 3, 700);
        bed.reallocate();
        assertEquals(new Traffic(200, 20_000), bed.dropped("a"));

        bed.flood(1, 3, 501);
        bed.configure(limited(flow("a", 1, 3), 2));
        bed.flood(1, 3, 1500);
        bed.reallocate();
        assertEquals(new Traffic(701, 70_100), bed.dropped("a"));

        bed.configure(flow("a", 1, 3));
        bed.flood(1, 3, 1500);
        bed.reallocate();
        assertEquals(Map.of(), bed.meters());
        assertEquals(new Traffic(701, 70_100), bed.dropped("a"));
    }

    @Test
    void whatAMeterDropsIsCountedOnceThoughItsSwitchConfirmsLate() {
        bed.configure(limited(flow("a", 1, 3), 1));
        bed.flood(1, 3, 700);
        bed.reallocate();
        bed.programmer.silence(node(1));
        bed.engine.configure(config(limited(flow("a", 1, 3), 2)));
        bed.reallocateWithoutAnswer();
        bed.flood(1, 3, 1500);
        bed.reallocateWithoutAnswer();
        assertEquals(new Traffic(200, 20_000), bed.dropped("a"));

        bed.programmer.speak();
        bed.settle();
        bed.reallocate();
        bed.reallocate();

        assertEquals(new Traffic(700, 70_000), bed.dropped("a"));
    }

    @Test
    void whatAMeterDropsIsCountedOnceThoughAnotherRateWasRefusedMeanwhile() {
        bed.configure(limited(flow("a", 1, 3), 1));
        bed.flood(1, 3, 700);
        bed.reallocate();
        bed.programmer.detach(node(1));
        bed.configure(limited(flow("a", 1, 3), 2));
        bed.configure(limited(flow("a", 1, 3), 1));
        bed.programmer.attach(node(1));

        bed.reallocate();
        bed.reallocate();

        assertEquals(new Traffic(200, 20_000), bed.dropped("a"));
    }

    @Test
    void aSwitchThatOwesItsCountersIsNotAskedForMoreAndItsRatesAreNotKnown() {
        bed.configure(limited(flow("a", 1, 3), 1));
        bed.reallocate();
        bed.flood(1, 3, 700);
        bed.clock.advance(Duration.ofSeconds(4));
        bed.reallocate();
        bed.programmer.silence(node(1));

        bed.reallocateWithoutAnswer();
        final int owed = bed.programmer.owed();
        assertEquals(Optional.empty(), measured("a"));
        bed.reallocateWithoutAnswer();

        assertEquals(owed, bed.programmer.owed());
    }

    @Test
    void theMeasuredRateIsOfWhatPassedAndGoesWithTheSwitch() {
        bed.configure(limited(flow("a", 1, 3), 1), flow("b", 2, 4));
        bed.reallocate();
        bed.flood(1, 3, 700);
        bed.flood(2, 4, 700);
        bed.clock.advance(Duration.ofSeconds(4));
        bed.reallocate();
        assertEquals(Optional.of(new Bandwidth(500 * 800 / 4)), measured("a"));
        assertEquals(Optional.of(new Bandwidth(700 * 800 / 4)), measured("b"));

        bed.programmer.detach(node(1));
        bed.reallocate();
        assertEquals(Optional.empty(), measured("a"));
        assertEquals(new Traffic(200, 20_000), bed.dropped("a"));
    }

    private Optional<Bandwidth> measured(final String flow) {
        return bed.state(flow).passage().orElseThrow().measured();
    }
}

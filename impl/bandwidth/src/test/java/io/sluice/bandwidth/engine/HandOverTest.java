// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.guaranteed;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;
import io.sluice.testlib.Topologies;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Packets that are another flow's now: on two switches with two hosts each, and a cable of 10 Mbit/s between them. */
class HandOverTest {
    private final EngineBed bed = new EngineBed(Topologies.line(2, 1, 2, new Topologies.Rates(
        Bandwidth.ofMegabits(100), Bandwidth.ofMegabits(10), Bandwidth.ofMegabits(10))));

    @Test
    void packetsKeepTheirMeterThoughTheirFlowHasAnotherName() {
        bed.configure(limited(flow("a", 1, 3), 2));
        bed.events.clear();

        bed.configure(limited(flow("b", 1, 3), 2));

        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 2000L), bed.meters());
        assertEquals(Optional.empty(), bed.state("b").pending());
        assertEquals(List.of("a gone", "b 2000000 bit/s"), bed.events);
    }

    @Test
    void packetsKeepTheirMeterThoughTheirFlowHasAnotherNameWhileRoundsAreRefused() {
        bed.configure(limited(flow("a", 1, 3), 2));

        bed.configure(limited(flow("b", 1, 3), 2), guaranteed(flow("g", 2, 4), 11));

        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 2000L), bed.meters());
    }

    @Test
    void flowsChangePlaces() {
        bed.configure(limited(flow("a", 1, 3), 2), limited(flow("b", 2, 4), 3));

        bed.configure(limited(flow("a", 2, 4), 2), limited(flow("b", 1, 3), 3));
        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 3000L,
            "openflow:1 " + bed.match(2, 4), 2000L), bed.meters());

        bed.configure(limited(flow("b", 2, 4), 1), limited(flow("c", 1, 3), 4));
        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 4000L,
            "openflow:1 " + bed.match(2, 4), 1000L), bed.meters());
    }

    @Test
    void whatAFlowsMeterDroppedIsItsOwnThoughTheMeterIsAnothersNow() {
        bed.configure(limited(flow("a", 1, 3), 2), limited(flow("b", 2, 4), 2));
        bed.flood(1, 3, 1100);
        bed.reallocate();

        bed.configure(limited(flow("a", 2, 4), 2), limited(flow("b", 1, 3), 2));
        bed.reallocate();
        assertEquals(List.of(new Traffic(100, 10_000), new Traffic(0, 0)),
            List.of(bed.dropped("a"), bed.dropped("b")));

        bed.flood(1, 3, 1007);
        bed.reallocate();
        assertEquals(List.of(new Traffic(100, 10_000), new Traffic(7, 700)),
            List.of(bed.dropped("a"), bed.dropped("b")));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.PortId;
import io.sluice.multipath.placement.World;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LinkYieldsTest {
    private static final FabricSnapshot FABRIC = Topologies.line(2, 1, 1, Rates.equal(Bandwidth.ofMegabits(100)));
    private static final PortId LINK = FABRIC.links().getFirst().source();
    private static final long HOLD_NS = 30_000_000_000L;
    private static final double EXACT = 1e-9;

    private final LinkYields yields = new LinkYields();

    @Test
    void reviewsAreAveraged() {
        see(0.2, 0);
        assertEquals(0.6, yields.all().get(LINK), EXACT);
        see(0.2, HOLD_NS);
        assertEquals(0.4, yields.all().get(LINK), EXACT);
        see(1, 2 * HOLD_NS);
        assertEquals(0.7, yields.all().get(LINK), EXACT);
    }

    @Test
    void halfIsForgottenInSixteenHoldTimesWithoutMeasurement() {
        see(0.2, 0);
        yields.observe(Map.of(), 8 * HOLD_NS, HOLD_NS);
        yields.observe(Map.of(), 16 * HOLD_NS, HOLD_NS);
        assertEquals(0.8, yields.all().get(LINK), EXACT);
    }

    @Test
    void whatIsAsGoodAsSoundIsNotKept() {
        see(0.95, 0);
        assertEquals(Map.of(), yields.all());
        see(0.2, 0);
        yields.observe(Map.of(), 80 * HOLD_NS, HOLD_NS);
        assertEquals(Map.of(), yields.all());
    }

    @Test
    void whatATrialHasShownIsNotAveraged() {
        see(0.2, 0);
        yields.confirm(Map.of(LINK, 0.1));
        assertEquals(0.1, yields.all().get(LINK), EXACT);
        yields.confirm(Map.of(LINK, 0.9));
        assertEquals(0.1, yields.all().get(LINK), EXACT);
    }

    @Test
    void capacityIsMultiplied() {
        see(0.2, 0);
        final var corrected = yields.corrected(new World(FABRIC, List.of(), Map.of())).fabric();
        assertEquals(Bandwidth.ofMegabits(60), corrected.linkFrom(LINK).orElseThrow().capacity());
        assertEquals(Bandwidth.ofMegabits(100), corrected.links().getLast().capacity());
    }

    private void see(final double share, final long nowNs) {
        yields.observe(Map.of(LINK, share), nowNs, HOLD_NS);
    }
}

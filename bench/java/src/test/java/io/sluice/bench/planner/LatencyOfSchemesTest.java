// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.planner.plan.Figures;
import org.junit.jupiter.api.Test;

class LatencyOfSchemesTest {
    @Test
    void aPlanThatCarriesAPartIsMeasuredByThatPart() {
        final var half = new Figures(2, new Bandwidth(8), new Bandwidth(4), 60, 10, 1_000_000);
        assertEquals(0.2, LatencyOfSchemes.over(half, 100), 1e-12);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.ortools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SolverCheckTest {
    private static final double TOLERANCE = 1e-9;

    /** The optimum lies where the two constraints meet: x = 6, y = 4. */
    @Test
    void findsTheOptimumAndItsDuals() {
        final var solution = SolverCheck.solve();

        assertEquals(34, solution.objective(), TOLERANCE);
        assertEquals(6, solution.values().get(0), TOLERANCE);
        assertEquals(4, solution.values().get(1), TOLERANCE);
        assertEquals(7.0 / 3, solution.duals().get(0), TOLERANCE);
        assertEquals(2.0 / 3, solution.duals().get(1), TOLERANCE);
    }

    @Test
    void theReportShowsOptimumAndDuals() {
        assertEquals("optimal: 3x + 4y = 34.000 at x, y = 6.000, 4.000; duals 2.333, 0.667",
            SolverCheck.report(new SolverCheck.Solution(34, List.of(6.0, 4.0), List.of(7.0 / 3, 2.0 / 3))));
    }
}

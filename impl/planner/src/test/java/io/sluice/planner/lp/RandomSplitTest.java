// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import org.junit.jupiter.api.Test;

class RandomSplitTest {
    private static final int PROBLEMS = RandomProblems.number(60);
    private static final double TOLERANCE = 1e-6;
    private static final Limits EXACT = new Limits(1e-9, 1, () -> false);

    @Test
    void onePartIsTheWholeProgram() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final double optimum = EdgeProgram.optimum(problem, Objective.SCALE).orElseThrow();
            assertEquals(optimum, combined(seed, 1).scale(), optimum * TOLERANCE, "seed " + seed);
        }
    }

    @Test
    void partsReachNoMoreAndAreAllRouted() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final double optimum = EdgeProgram.optimum(RandomProblems.of(seed), Objective.SCALE).orElseThrow();
            final var combined = combined(seed, 3);
            assertTrue(combined.scale() > 0 && combined.scale() <= optimum * (1 + TOLERANCE), "seed " + seed);
            for (final var split : combined.splits()) {
                assertEquals(1, split.carried(), TOLERANCE, "seed " + seed);
            }
        }
    }

    private static RandomSplit.Combined combined(final long seed, final int parts) {
        return RandomSplit.solve(Instance.of(RandomProblems.of(seed)), parts, seed, EXACT).orElseThrow();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import io.sluice.ortools.OrTools;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LookoutTest {
    /** Rows and columns, so many that a look comes long before the end. */
    private static final int SIZE = 400;

    @Test
    void aLinearProgramIsInterruptedWhenItsTimeIsOver() {
        OrTools.load();
        final var solver = MPSolver.createSolver("GLOP");
        final var parameters = new MPSolverParameters();
        try {
            fill(solver, new Random(1));
            assertNotEquals(MPSolver.ResultStatus.OPTIMAL, Lookout.solve(solver, parameters, () -> true));
            assertEquals(MPSolver.ResultStatus.OPTIMAL, Lookout.solve(solver, parameters, () -> false));
        } finally {
            parameters.delete();
            solver.delete();
        }
    }

    /** A dense packing problem. */
    private static void fill(final MPSolver solver, final Random random) {
        final var columns = solver.makeNumVarArray(SIZE, 0, MPSolver.infinity());
        for (int row = 0; row < SIZE; row++) {
            final var constraint = solver.makeConstraint(-MPSolver.infinity(), 1);
            for (final var column : columns) {
                constraint.setCoefficient(column, random.nextDouble());
            }
        }
        for (final var column : columns) {
            solver.objective().setCoefficient(column, 1);
        }
        solver.objective().setMaximization();
    }
}

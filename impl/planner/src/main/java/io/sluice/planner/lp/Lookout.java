// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Looks out while a solver is at work, and interrupts it when it should stop. */
public final class Lookout {
    /** How often it looks. */
    private static final long LOOK_MS = 20;

    private Lookout() {
        // looks out, and has no instances
    }

    /**
     * Solves until {@code isStopped}, which another thread asks, says so. Then the solver is interrupted again and
     * again: it forgets what came before it was at work.
     */
    public static MPSolver.ResultStatus solve(final MPSolver solver, final MPSolverParameters parameters,
            final BooleanSupplier isStopped) {
        try (var lookout = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("sluice-planner-lookout").daemon().factory())) {
            lookout.scheduleWithFixedDelay(() -> {
                if (isStopped.getAsBoolean()) {
                    solver.interruptSolve();
                }
            }, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
            return solver.solve(parameters);
        }
    }
}

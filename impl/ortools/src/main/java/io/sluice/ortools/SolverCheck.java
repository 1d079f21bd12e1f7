// SPDX-License-Identifier: EPL-2.0
package io.sluice.ortools;

import com.google.ortools.linearsolver.MPSolver;
import java.util.List;
import java.util.Locale;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/**
 * Shell command that solves the smallest program with an interesting answer, to show that the solver works here:
 * maximise 3x + 4y with x + 2y &lt;= 14 and x - y &lt;= 2.
 */
@Service
@Command(scope = "sluice", name = "solver-check", description = "Solves a small linear program")
public final class SolverCheck implements Action {
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    /**
     * What the solver found.
     *
     * @param objective largest value
     * @param values of x and y
     * @param duals worth of one unit more on the right-hand side of each constraint, in their order above
     */
    public record Solution(double objective, List<Double> values, List<Double> duals) {
        public Solution {
            values = List.copyOf(values);
            duals = List.copyOf(duals);
        }
    }

    @Override
    public Object execute() {
        System.out.println(report(solve()));
        return null;
    }

    static String report(final Solution solution) {
        return String.format(Locale.ROOT, "optimal: 3x + 4y = %.3f at x, y = %.3f, %.3f; duals %.3f, %.3f",
            solution.objective(), solution.values().get(0), solution.values().get(1),
            solution.duals().get(0), solution.duals().get(1));
    }

    static Solution solve() {
        OrTools.load();
        final var solver = MPSolver.createSolver("GLOP");
        try {
            final var x = solver.makeNumVar(0, INFINITY, "x");
            final var y = solver.makeNumVar(0, INFINITY, "y");
            final var sum = solver.makeConstraint(-INFINITY, 14, "sum");
            sum.setCoefficient(x, 1);
            sum.setCoefficient(y, 2);
            final var gap = solver.makeConstraint(-INFINITY, 2, "gap");
            gap.setCoefficient(x, 1);
            gap.setCoefficient(y, -1);
            solver.objective().setCoefficient(x, 3);
            solver.objective().setCoefficient(y, 4);
            solver.objective().setMaximization();
            final var status = solver.solve();
            if (status != MPSolver.ResultStatus.OPTIMAL) {
                throw new IllegalStateException("the solver says " + status);
            }
            return new Solution(solver.objective().value(), List.of(x.solutionValue(), y.solutionValue()),
                List.of(sum.dualValue(), gap.dualValue()));
        } finally {
            solver.delete();
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPVariable;
import io.sluice.ortools.OrTools;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The linear program over the routes found so far. Two things keep it small: only <em>free</em> chains have variables,
 * the others keep the split they have; and a row enters only when something fills it.
 *
 * <p>Rows are elastic, so that it always has a solution: for SCALE they grow with the value, for the others what
 * exceeds the capacity has a cost, which can be raised until any detour costs less. It owns native memory until closed.
 */
final class RestrictedMaster implements AutoCloseable {
    /** Cost of exceeding a row by its capacity, in terms of a {@link Relaxation}: at first, times what, at most. */
    private static final double OVERLOAD_COST = 1_000;
    private static final double DEARER = 10;
    private static final double DEAREST = 1e13;
    private static final double NEARLY_FULL = 0.9;
    private static final double EXCESS = 1e-8;

    private final Instance instance;
    private final Relaxation relaxation;
    private final Split[] splits;
    private final MPSolver solver;
    private final MPSolverParameters parameters;
    private final MPVariable growth;
    /** By how much the rows of a site may be filled further; at 0, for what grows no further, the growth itself. */
    private final MPVariable[] further;
    private final MPConstraint[] rows;
    private final MPConstraint[] wholes;
    private final List<List<Column>> columns = new ArrayList<>();
    private final List<MPVariable> overloads = new ArrayList<>();
    private final double[] fixedUse;
    private final double[] use;
    private final Shares shares;
    private final double[] prices;
    /** How far rows may be filled in the last solution. */
    private final double[] filled;
    private double overloadCost = OVERLOAD_COST;
    private double fixedCost;
    private double value;

    private record Column(MPVariable variable, int[] rows, double[] shares) { }

    RestrictedMaster(final Instance instance, final Relaxation relaxation, final Split[] splits) {
        this.instance = instance;
        this.relaxation = relaxation;
        this.splits = splits;
        OrTools.load();
        solver = MPSolver.createSolver("GLOP");
        solver.objective().setMinimization();
        parameters = new MPSolverParameters();
        parameters.setIntegerParam(MPSolverParameters.IntegerParam.INCREMENTALITY,
            MPSolverParameters.IncrementalityValues.INCREMENTALITY_ON.swigValue());
        parameters.setIntegerParam(MPSolverParameters.IntegerParam.PRESOLVE,
            MPSolverParameters.PresolveValues.PRESOLVE_OFF.swigValue());
        growth = solver.makeNumVar(0, relaxation.growsCapacity() ? MPSolver.infinity() : 0, "");
        solver.objective().setCoefficient(growth, 1);
        further = relaxation.expansion().map(this::further).orElseGet(() -> new MPVariable[] {growth});
        rows = new MPConstraint[instance.rows()];
        wholes = new MPConstraint[splits.length];
        fixedUse = new double[instance.rows()];
        use = new double[instance.rows()];
        prices = new double[instance.rows()];
        filled = new double[instance.rows()];
        shares = new Shares(instance);
        for (int chain = 0; chain < splits.length; chain++) {
            columns.add(new ArrayList<>());
            addFixed(chain, 1);
        }
    }

    boolean isFree(final int chain) {
        return wholes[chain] != null;
    }

    /** Gives a chain variables, one for each route of its split. */
    void free(final int chain) {
        addFixed(chain, -1);
        wholes[chain] = solver.makeConstraint(1, 1, "");
        addColumns(chain);
    }

    /** Adds the routes of a free chain that have no variable yet. */
    void addColumns(final int chain) {
        final var list = columns.get(chain);
        while (list.size() < splits[chain].size()) {
            list.add(column(chain, list.size()));
        }
    }

    /**
     * Solves, adding rows until none is exceeded, and writes the fractions into the splits.
     *
     * @return whether it came to its end: it may be stopped, and numbers may be beyond what the solver can weigh
     */
    boolean solve(final BooleanSupplier isStopped) {
        measureUse();
        relaxation.fit(use, filled);
        addFullRows(NEARLY_FULL, 0);
        do {
            if (!solveOnce(isStopped)) {
                return false;
            }
        } while (addFullRows(1, EXCESS) > 0);
        return true;
    }

    /** The last value, in terms of the relaxation, as the solver has it: what routes need may be more, by rounding. */
    double value() {
        return value;
    }

    /** Price of the whole capacity of each row in the last solution; those that never were full cost nothing. */
    double[] prices() {
        return prices.clone();
    }

    /** Makes it dearer to exceed rows; whether that was possible. */
    boolean raiseOverloadCost() {
        overloadCost *= DEARER;
        overloads.forEach(variable -> solver.objective().setCoefficient(variable, overloadCost));
        return overloadCost <= DEAREST;
    }

    @Override
    public void close() {
        parameters.delete();
        solver.delete();
    }

    /** A variable for each group of rows that grow together, and the row that limits them all. */
    private MPVariable[] further(final Expansion expansion) {
        final var budget = solver.makeConstraint(-MPSolver.infinity(), 0, "");
        budget.setCoefficient(growth, -1);
        final var variables = new MPVariable[expansion.groups()];
        variables[0] = growth;
        for (int number = 1; number < variables.length; number++) {
            variables[number] = solver.makeNumVar(0, MPSolver.infinity(), "");
            budget.setCoefficient(variables[number], expansion.weight(number));
        }
        return variables;
    }

    private int group(final int row) {
        return relaxation.expansion().map(expansion -> expansion.group(row)).orElse(0);
    }

    private boolean solveOnce(final BooleanSupplier isStopped) {
        for (int row = 0; row < rows.length; row++) {
            if (rows[row] != null) {
                rows[row].setUb((relaxation.growsCapacity() ? 0 : 1) - fixedUse[row]);
            }
        }
        final boolean isSolved = Lookout.solve(solver, parameters, isStopped) == MPSolver.ResultStatus.OPTIMAL;
        if (isSolved) {
            readSolution();
        }
        return isSolved;
    }

    /** All at once: the solver forgets its solution when the program changes. */
    private void readSolution() {
        value = solver.objective().value() + fixedCost;
        readLevels();
        for (int row = 0; row < rows.length; row++) {
            prices[row] = rows[row] == null ? 0 : Math.max(0, -rows[row].dualValue());
        }
        for (int chain = 0; chain < splits.length; chain++) {
            final var list = columns.get(chain);
            for (int index = 0; index < list.size(); index++) {
                splits[chain].setFraction(index, Math.max(0, list.get(index).variable.solutionValue()));
            }
        }
    }

    private void readLevels() {
        Arrays.fill(filled, relaxation.growsCapacity() ? growth.solutionValue() : 1);
        if (further.length > 1) {
            for (int row = 0; row < filled.length; row++) {
                filled[row] += group(row) == 0 ? 0 : further[group(row)].solutionValue();
            }
        }
    }

    /** Adds the rows that are used beyond a part of what they may be, and more; returns how many are new. */
    private int addFullRows(final double part, final double more) {
        measureUse();
        int added = 0;
        for (int row = 0; row < rows.length; row++) {
            if (rows[row] == null && use[row] > part * filled[row] + more) {
                addRow(row);
                added++;
            }
        }
        return added;
    }

    private void measureUse() {
        System.arraycopy(fixedUse, 0, use, 0, use.length);
        for (int chain = 0; chain < splits.length; chain++) {
            final var list = columns.get(chain);
            for (int index = 0; index < list.size(); index++) {
                final var column = list.get(index);
                final double fraction = splits[chain].fraction(index);
                for (int i = 0; i < column.rows.length; i++) {
                    use[column.rows[i]] += column.shares[i] * fraction;
                }
            }
        }
    }

    private void addRow(final int row) {
        rows[row] = solver.makeConstraint(-MPSolver.infinity(), 0, "");
        if (relaxation.growsCapacity()) {
            rows[row].setCoefficient(growth, -1);
            rows[row].setCoefficient(further[group(row)], -1);
        } else {
            final var overload = solver.makeNumVar(0, MPSolver.infinity(), "");
            solver.objective().setCoefficient(overload, overloadCost);
            rows[row].setCoefficient(overload, -1);
            overloads.add(overload);
        }
        for (final var list : columns) {
            for (final var column : list) {
                final int at = Arrays.binarySearch(column.rows, row);
                if (at >= 0) {
                    rows[row].setCoefficient(column.variable, column.shares[at]);
                }
            }
        }
    }

    private Column column(final int chain, final int index) {
        shares.clear();
        splits[chain].addTo(shares, instance.chain(chain), index, 1);
        final var used = shares.sortedRows();
        final var column = new Column(solver.makeNumVar(0, MPSolver.infinity(), ""), used, new double[used.length]);
        wholes[chain].setCoefficient(column.variable, 1);
        solver.objective().setCoefficient(column.variable,
            relaxation.ownCost(instance, chain, splits[chain], index));
        for (int i = 0; i < used.length; i++) {
            column.shares[i] = shares.get(used[i]);
            if (rows[used[i]] != null) {
                rows[used[i]].setCoefficient(column.variable, column.shares[i]);
            }
        }
        return column;
    }

    private void addFixed(final int chain, final double sign) {
        shares.clear();
        for (int index = 0; index < splits[chain].size(); index++) {
            final double fraction = splits[chain].fraction(index);
            splits[chain].addTo(shares, instance.chain(chain), index, fraction);
            fixedCost += sign * fraction * relaxation.ownCost(instance, chain, splits[chain], index);
        }
        shares.addTo(fixedUse, sign);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.placement;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPVariable;
import io.sluice.ortools.OrTools;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.LayeredChain;
import io.sluice.planner.core.Shares;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Lookout;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The paper's mixed integer program, with a variable for each route of each chain: at most y_f binaries w_fs of a VNF
 * are 1, and no chain carries more through a candidate than its w allows, nor all of them more than its capacity then.
 */
final class PlacementProgram implements AutoCloseable {
    /** Beyond so many routes, all chains together, the search is the better way. */
    private static final long MAX_ROUTES = 20_000;
    /** As many branches, and no more, so that the answer does not depend on the machine. */
    private static final String BRANCHES = "limits/nodes = 20000";
    /** They solve programs of their own, which nothing interrupts but their limits. */
    private static final List<String> LEFT_OUT = List.of("alns", "clique", "crossover", "gins", "locks", "lpface",
        "ofins", "padm", "rens", "rins", "undercover", "vbounds");
    private static final double FEASIBLE = 1e-9;

    private final Candidates candidates;
    private final Instance instance;
    private final double unit;
    private final MPSolver solver;
    private final MPConstraint[] rows;
    private final MPVariable[][] isOpen;
    private final Shares shares;

    /** Which candidates to open, and a sum (3) that no choice can beat. */
    record Solution(boolean[][] isOpen, double bound) { }

    private PlacementProgram(final Candidates candidates, final double unit) {
        this.candidates = candidates;
        this.unit = unit > 0 ? unit : 1;
        instance = candidates.instance;
        OrTools.load();
        solver = MPSolver.createSolver("SCIP");
        solver.objective().setMinimization();
        shares = new Shares(instance);
        rows = new MPConstraint[instance.rows()];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = solver.makeConstraint(-MPSolver.infinity(), 1, "");
        }
        isOpen = new MPVariable[candidates.sites.length][];
        for (int vnf = 0; vnf < isOpen.length; vnf++) {
            isOpen[vnf] = new MPVariable[candidates.sites[vnf].length];
            final var limit = solver.makeConstraint(0, candidates.most[vnf], "");
            for (int candidate = 0; candidate < isOpen[vnf].length; candidate++) {
                isOpen[vnf][candidate] = solver.makeBoolVar("");
                limit.setCoefficient(isOpen[vnf][candidate], 1);
                final var row = rows[candidates.row(vnf, candidate)];
                row.setUb(0);
                row.setCoefficient(isOpen[vnf][candidate], -1);
            }
        }
    }

    /** Whether there are so few routes that the program is the better way. */
    static boolean suits(final Candidates candidates) {
        long routes = 0;
        for (int chain = 0; chain < candidates.instance.chainCount() && routes <= MAX_ROUTES; chain++) {
            routes += routes(candidates.instance.chain(chain));
        }
        return routes <= MAX_ROUTES;
    }

    /**
     * The best choice, or the best until it was stopped or had too many branches; empty if there is none yet.
     *
     * @param unit a sum (3) of the right size
     */
    static Optional<Solution> solve(final Candidates candidates, final double unit, final Limits limits) {
        try (var program = new PlacementProgram(candidates, unit)) {
            for (int chain = 0; chain < candidates.instance.chainCount(); chain++) {
                program.add(chain);
            }
            return program.solve(limits);
        }
    }

    @Override
    public void close() {
        solver.delete();
    }

    private static long routes(final LayeredChain chain) {
        double product = 1;
        for (int layer = 0; layer < chain.layers(); layer++) {
            product *= chain.width(layer);
        }
        return (long) Math.min(MAX_ROUTES + 1, product);
    }

    private void add(final int number) {
        final var chain = instance.chain(number);
        final var whole = solver.makeConstraint(1, 1, "");
        final var path = instance.problem().chains().get(number).vnfs();
        final var through = new MPConstraint[chain.layers()][];
        for (int layer = 1; layer <= path.size(); layer++) {
            final int vnf = path.get(layer - 1);
            through[layer] = new MPConstraint[isOpen[vnf].length];
            for (int candidate = 0; candidate < through[layer].length; candidate++) {
                through[layer][candidate] = solver.makeConstraint(-MPSolver.infinity(), 0, "");
                through[layer][candidate].setCoefficient(isOpen[vnf][candidate], -1);
            }
        }
        final var route = new int[chain.layers()];
        do {
            final var column = column(chain, route);
            column.ifPresent(variable -> {
                whole.setCoefficient(variable, 1);
                for (int layer = 1; layer <= path.size(); layer++) {
                    final int candidate = route[layer] - candidates.old[path.get(layer - 1)];
                    if (candidate >= 0) {
                        through[layer][candidate].setCoefficient(variable, 1);
                    }
                }
            });
        } while (next(chain, route));
    }

    /** Counts routes like a number whose digits are positions; whether there is another one. */
    private static boolean next(final LayeredChain chain, final int[] route) {
        for (int layer = 0; layer < route.length; layer++) {
            if (++route[layer] < chain.width(layer)) {
                return true;
            }
            route[layer] = 0;
        }
        return false;
    }

    /** A variable for a route, if nothing on it is closed or out of reach. */
    private Optional<MPVariable> column(final LayeredChain chain, final int[] route) {
        final double latency = chain.latency(instance.underlay(), route);
        shares.clear();
        shares.add(chain, route, 1);
        if (Double.isInfinite(latency)
                || IntStream.range(0, shares.size()).anyMatch(i -> instance.isClosed(shares.row(i)))
                || IntStream.range(1, chain.layers() - 1)
                    .anyMatch(layer -> instance.isShut(chain.deployment(layer, route[layer])))) {
            return Optional.empty();
        }
        final var variable = solver.makeNumVar(0, 1, "");
        solver.objective().setCoefficient(variable, latency / unit);
        for (int i = 0; i < shares.size(); i++) {
            rows[shares.row(i)].setCoefficient(variable, shares.get(shares.row(i)));
        }
        return Optional.of(variable);
    }

    private Optional<Solution> solve(final Limits limits) {
        final var parameters = new MPSolverParameters();
        try {
            parameters.setDoubleParam(MPSolverParameters.DoubleParam.RELATIVE_MIP_GAP, limits.gap());
            parameters.setDoubleParam(MPSolverParameters.DoubleParam.PRIMAL_TOLERANCE, FEASIBLE);
            set(BRANCHES);
            LEFT_OUT.forEach(heuristic -> set("heuristics/" + heuristic + "/freq = -1"));
            return switch (Lookout.solve(solver, parameters, limits.isStopped())) {
                case OPTIMAL, FEASIBLE -> Optional.of(solution());
                default -> Optional.empty();
            };
        } finally {
            parameters.delete();
        }
    }

    private void set(final String parameter) {
        if (!solver.setSolverSpecificParametersAsString(parameter)) {
            throw new IllegalStateException("the solver does not know " + parameter);
        }
    }

    private Solution solution() {
        final var open = candidates.none();
        for (int vnf = 0; vnf < open.length; vnf++) {
            for (int candidate = 0; candidate < open[vnf].length; candidate++) {
                open[vnf][candidate] = isOpen[vnf][candidate].solutionValue() > 0.5;
            }
        }
        return new Solution(open, solver.objective().bestBound() * unit);
    }
}

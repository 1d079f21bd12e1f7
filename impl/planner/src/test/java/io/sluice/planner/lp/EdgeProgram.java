// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import io.sluice.ortools.OrTools;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Underlay;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Problem;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * The linear program as the paper writes it, with a variable for each chain, stage and pair of neighbours: (1) to (7),
 * straight from the model. The slow reference for {@link ChainRouting}.
 */
public final class EdgeProgram {
    private static final double INFINITY = Double.POSITIVE_INFINITY;
    /** Rows are in millions, so that solvers tell small from nothing. */
    private static final double UNIT = 1e-6;

    private final Problem problem;
    private final Underlay underlay;
    private final Objective objective;
    private final MPSolver solver = MPSolver.createSolver("CLP");
    private final MPConstraint[] links;
    private final MPConstraint[] sites;
    private final MPConstraint[][] deployments;
    private final MPVariable growth;

    private EdgeProgram(final Problem problem, final Underlay underlay, final Objective objective, final long extra) {
        this.problem = problem;
        this.underlay = underlay;
        this.objective = objective;
        growth = solver.makeNumVar(0, INFINITY, "");
        links = problem.network().links().stream().map(link -> capacity(link.room().bitsPerSecond()))
            .toArray(MPConstraint[]::new);
        sites = problem.sites().stream().map(site -> capacity(site.cyclesPerSecond())).toArray(MPConstraint[]::new);
        deployments = problem.vnfs().stream().map(vnf -> vnf.deployments().stream()
            .map(deployment -> capacity(deployment.cyclesPerSecond())).toArray(MPConstraint[]::new))
            .toArray(MPConstraint[][]::new);
        if (objective == Objective.SCALE) {
            solver.objective().setCoefficient(growth, 1);
        }
        if (extra > 0) {
            share(extra);
        }
        if (objective == Objective.CARRIED) {
            solver.objective().setMaximization();
        }
    }

    /** The optimum in the unit of the objective; empty if there is no solution. */
    public static OptionalDouble optimum(final Problem problem, final Objective objective) {
        return optimum(problem, objective, 0);
    }

    /** The largest scale if so many cycles/s may be shared out among sites. */
    public static OptionalDouble scaleWith(final Problem problem, final long extra) {
        return optimum(problem, Objective.SCALE, extra);
    }

    private static OptionalDouble optimum(final Problem problem, final Objective objective, final long extra) {
        OrTools.load();
        final var program = new EdgeProgram(problem, Instance.of(problem).underlay(), objective, extra);
        try {
            problem.chains().forEach(program::add);
            if (program.solver.solve() != MPSolver.ResultStatus.OPTIMAL) {
                return OptionalDouble.empty();
            }
            final double value = program.solver.objective().value();
            return OptionalDouble.of(objective == Objective.SCALE ? 1 / value : value);
        } finally {
            program.solver.delete();
        }
    }

    private MPConstraint capacity(final double limit) {
        final var row = solver.makeConstraint(-INFINITY, objective == Objective.SCALE ? 0 : limit * UNIT);
        if (objective == Objective.SCALE) {
            row.setCoefficient(growth, -limit * UNIT);
        }
        return row;
    }

    /** What is added to a site, over alpha: in Mcycles/s for it, and in proportion for what VNFs may use there. */
    private void share(final long extra) {
        final var budget = solver.makeConstraint(-INFINITY, 0);
        budget.setCoefficient(growth, -extra * UNIT);
        for (int site = 0; site < sites.length; site++) {
            final double before = problem.sites().get(site).cyclesPerSecond();
            final var added = solver.makeNumVar(0, before > 0 ? INFINITY : 0, "");
            budget.setCoefficient(added, 1);
            sites[site].setCoefficient(added, -1);
            for (int vnf = 0; vnf < deployments.length; vnf++) {
                for (int i = 0; i < deployments[vnf].length; i++) {
                    final var deployment = problem.vnfs().get(vnf).deployments().get(i);
                    if (deployment.site() == site && before > 0) {
                        deployments[vnf][i].setCoefficient(added, -deployment.cyclesPerSecond() / before);
                    }
                }
            }
        }
    }

    private void add(final Chain chain) {
        final int layers = chain.vnfs().size() + 2;
        final var layerNodes = IntStream.range(0, layers).mapToObj(layer -> nodes(chain, layer)).toList();
        final var whole = solver.makeConstraint(objective == Objective.CARRIED ? 0 : 1, 1);
        var entering = new MPConstraint[] {};
        for (int stage = 0; stage < layers - 1; stage++) {
            final int from = layerNodes.get(stage).size();
            final var leaving = IntStream.range(0, layerNodes.get(stage + 1).size())
                .mapToObj(to -> solver.makeConstraint(0, 0)).toArray(MPConstraint[]::new);
            for (int i = 0; i < from; i++) {
                for (int j = 0; j < leaving.length; j++) {
                    final var x = solver.makeNumVar(0, isShut(chain, stage, j) ? 0 : INFINITY, "");
                    if (stage == 0) {
                        whole.setCoefficient(x, 1);
                    } else {
                        entering[i].setCoefficient(x, -1);
                    }
                    if (stage < layers - 2) {
                        leaving[j].setCoefficient(x, 1);
                    }
                    charge(chain, stage, layerNodes.get(stage).get(i), layerNodes.get(stage + 1).get(j), x);
                    compute(chain, stage, i, j, x);
                }
            }
            entering = leaving;
        }
    }

    /** Whether a stage leads to a deployment that is closed, or at a closed site. */
    private boolean isShut(final Chain chain, final int stage, final int to) {
        if (stage == chain.vnfs().size()) {
            return false;
        }
        final var deployment = problem.vnfs().get(chain.vnfs().get(stage)).deployments().get(to);
        return deployment.cyclesPerSecond() == 0 || problem.sites().get(deployment.site()).cyclesPerSecond() == 0;
    }

    private List<Integer> nodes(final Chain chain, final int layer) {
        if (layer == 0) {
            return chain.ingresses();
        }
        return layer > chain.vnfs().size() ? chain.egresses()
            : problem.vnfs().get(chain.vnfs().get(layer - 1)).deployments().stream()
                .map(deployment -> problem.sites().get(deployment.site()).node()).toList();
    }

    private void charge(final Chain chain, final int stage, final int from, final int to, final MPVariable x) {
        final double forward = chain.stages().get(stage).forward().bitsPerSecond();
        final double reverse = chain.stages().get(stage).reverse().bitsPerSecond();
        final var load = new double[links.length];
        underlay.addTo(load, from, to, forward);
        underlay.addTo(load, to, from, reverse);
        for (int link = 0; link < links.length; link++) {
            add(links[link], x, load[link]);
        }
        if (objective == Objective.LATENCY) {
            solver.objective().setCoefficient(x,
                forward * underlay.delayUs(from, to) + reverse * underlay.delayUs(to, from));
        } else if (objective == Objective.CARRIED && stage == 0) {
            solver.objective().setCoefficient(x, chain.demand().bitsPerSecond());
        }
    }

    /** A VNF works on what it receives and on what it sends. */
    private void compute(final Chain chain, final int stage, final int from, final int to, final MPVariable x) {
        final double traffic = chain.stages().get(stage).total().bitsPerSecond();
        if (stage > 0) {
            work(chain.vnfs().get(stage - 1), from, traffic, x);
        }
        if (stage < chain.vnfs().size()) {
            work(chain.vnfs().get(stage), to, traffic, x);
        }
    }

    private void work(final int vnf, final int deployment, final double traffic, final MPVariable x) {
        final double load = traffic * problem.vnfs().get(vnf).cyclesPerBit();
        add(deployments[vnf][deployment], x, load);
        add(sites[problem.vnfs().get(vnf).deployments().get(deployment).site()], x, load);
    }

    private static void add(final MPConstraint row, final MPVariable x, final double amount) {
        if (amount != 0) {
            row.setCoefficient(x, row.getCoefficient(x) + amount * UNIT);
        }
    }
}

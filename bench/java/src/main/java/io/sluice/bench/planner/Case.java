// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Tuning;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Problem;
import io.sluice.planner.workload.BackboneModel;
import io.sluice.planner.workload.PaperWorkload;
import java.util.List;
import java.util.stream.LongStream;

/**
 * One problem of the benchmark.
 *
 * @param graph of {@link Graphs}
 * @param chains number of chains
 * @param coveragePercent of the sites, at which each VNF is
 * @param seed of the workload
 */
record Case(String graph, int chains, int coveragePercent, long seed) {
    /** Smallest first: of 25, 50 and 65 nodes, unless others are given, see {@link Graphs}. */
    static final List<String> GRAPHS = Graphs.names();
    static final List<Integer> COVERAGES = List.of(25, 50, 100);

    /** All graphs with all coverages and seeds. */
    static List<Case> all(final int chains, final long... seeds) {
        return GRAPHS.stream().flatMap(graph -> COVERAGES.stream().flatMap(coverage ->
            LongStream.of(seeds).mapToObj(seed -> new Case(graph, chains, coverage, seed)))).toList();
    }

    /** What tells its points from others. */
    JsonObject point() {
        final var point = new JsonObject();
        point.addProperty("graph", graph);
        point.addProperty("chains", chains);
        point.addProperty("coverage-percent", coveragePercent);
        point.addProperty("seed", seed);
        return point;
    }

    Instance instance() {
        return instance(PaperWorkload.REFERENCE_CYCLES_PER_KB);
    }

    /** The problem with other costs of all VNFs on the same sites. */
    Instance instance(final long cyclesPerKilobyte) {
        return Instance.of(problem(PaperWorkload.HEADROOM_PERCENT, cyclesPerKilobyte));
    }

    /** The problem with so much of the compute that the load needs on average. */
    Problem problem(final int headroomPercent) {
        return problem(headroomPercent, PaperWorkload.REFERENCE_CYCLES_PER_KB);
    }

    private Problem problem(final int headroomPercent, final long cyclesPerKilobyte) {
        return new PaperWorkload(chains, PaperWorkload.VNFS, PaperWorkload.MAX_SITES, coveragePercent,
            cyclesPerKilobyte, headroomPercent, seed).on(Graphs.topology(graph), BackboneModel.standard());
    }

    /** The weight of utilisation that the planner's trials lead to, without a linear program. */
    static double kappa(final Instance instance) {
        return Tuning.kappa(instance, kappa -> Weights.of(instance, kappa), Tuning.PASSES, () -> false);
    }

    /** Solves to the standard gap; anything but routes is a bug of the benchmark. */
    static Routed solve(final Instance instance, final Objective objective) {
        if (ChainRouting.solve(instance, objective, Limits.standard()) instanceof Routed routed) {
            return routed;
        }
        throw new IllegalStateException("no routes");
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.CapacityAnswer.Expanded;
import io.sluice.planner.lp.CapacityPlanning;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.model.Additions;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * S9-capacity: what all traffic can grow by when compute is added to sites as planned, against the same for each site
 * and random parts. Sites have as much compute as the load needs on average, so that compute is what is short. The last
 * percent of the gap, which takes nearly all of the time, would only add to the gain.
 */
final class CapacityGains implements Part {
    private static final String ID = "S9-capacity";
    private static final List<Integer> ADDED_PERCENT = List.of(25, 50, 100);
    private static final int COVERAGE = 25;
    private static final int HEADROOM = 100;
    private static final double PERCENT = 100;
    private static final Limits LIMITS = new Limits(1e-2, Limits.THREADS, () -> false);

    private final int chains;

    CapacityGains(final int chains) {
        this.chains = chains;
    }

    @Override
    public List<JsonObject> points() {
        final var points = new Points(ID, Case.GRAPHS.size() * ADDED_PERCENT.size());
        final var rows = new ArrayList<JsonObject>();
        for (final var graph : Case.GRAPHS) {
            final var problem = new Case(graph, chains, COVERAGE, 1);
            for (final int percent : ADDED_PERCENT) {
                final var point = problem.point();
                point.addProperty("added-percent", percent);
                rows.add(points.at(point, row -> compare(problem.problem(HEADROOM), percent, row)));
            }
        }
        return rows;
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        final var gains = points.stream().map(point -> gain(point, "uniform")).toList();
        return List.of(Row.largest(ID, gains, Map.of("graphs", Case.GRAPHS, "coverage-percent", COVERAGE, "chains",
            chains, "seed", 1, "compute-percent", HEADROOM, "added-percent", ADDED_PERCENT, "largest-gap",
            Collections.max(Part.column(points, "gap")))).beside(Map.of("over random",
                points.stream().map(point -> gain(point, "random")).max(Double::compare).orElseThrow())));
    }

    private static double gain(final JsonObject point, final String other) {
        return point.get("planned").getAsDouble() / point.get(other).getAsDouble() - 1;
    }

    private static void compare(final Problem problem, final int percent, final JsonObject row) {
        final long added = Math.round(problem.sites().stream().mapToDouble(Site::cyclesPerSecond).sum() * percent
            / PERCENT);
        final long startNs = System.nanoTime();
        if (!(CapacityPlanning.solve(Instance.of(problem), added, LIMITS) instanceof Expanded planned)) {
            throw new IllegalStateException("no routes");
        }
        row.addProperty("seconds", (System.nanoTime() - startNs) / 1e9);
        row.addProperty("present", scale(problem, Additions.none(problem)));
        row.addProperty("planned", planned.value());
        row.addProperty("uniform", scale(problem, Additions.uniform(problem, added)));
        row.addProperty("random", scale(problem, Additions.random(problem, added, new Random(1))));
        row.addProperty("gap", planned.gap());
    }

    private static double scale(final Problem problem, final Additions additions) {
        return Case.solve(Instance.of(additions.applyTo(problem)), Objective.SCALE).value();
    }
}

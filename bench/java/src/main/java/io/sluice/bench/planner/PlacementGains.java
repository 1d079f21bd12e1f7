// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.model.Problem;
import io.sluice.planner.placement.PlacementAnswer.Placed;
import io.sluice.planner.placement.PlacementTask;
import io.sluice.planner.placement.VnfPlacement;
import io.sluice.planner.plan.Change;
import io.sluice.planner.workload.PaperWorkload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * S9-placement: latency with VNFs at the new sites of the hints, against sites chosen at random, at half of the traffic
 * that fits without any. At a new site a VNF may use what the site has.
 */
final class PlacementGains implements Part {
    private static final String ID = "S9-placement";
    private static final List<Integer> NEW_SITES = List.of(1, 2, 3, 4);
    private static final int COVERAGE = 10;
    private static final double LOAD = 0.5;
    private static final double MILLION = 1e6;

    private final int chains;

    PlacementGains(final int chains) {
        this.chains = chains;
    }

    @Override
    public List<JsonObject> points() {
        final var points = new Points(ID, Case.GRAPHS.size() * NEW_SITES.size());
        final var rows = new ArrayList<JsonObject>();
        for (final var graph : Case.GRAPHS) {
            final var problem = new Case(graph, chains, COVERAGE, 1);
            for (final int most : NEW_SITES) {
                final var point = problem.point();
                point.addProperty("new-sites", most);
                rows.add(points.at(point, row -> compare(halfLoaded(problem), most, row)));
            }
        }
        return rows;
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        final var saved = points.stream()
            .map(point -> 1 - point.get("hints").getAsDouble() / point.get("random").getAsDouble()).toList();
        return List.of(Row.largest(ID, saved, Map.of("graphs", Case.GRAPHS, "coverage-percent", COVERAGE, "chains",
            chains, "seed", 1, "load", LOAD, "new-sites-per-vnf", NEW_SITES))
            .beside(Map.of("largest-gap", Collections.max(Part.column(points, "gap")))));
    }

    private static Problem halfLoaded(final Case each) {
        final var unscaled = each.problem(PaperWorkload.HEADROOM_PERCENT);
        final double scale = Case.solve(Instance.of(unscaled), Objective.SCALE).value();
        return new Change.Traffic(Math.round(scale * LOAD * MILLION)).applyTo(unscaled);
    }

    private static void compare(final Problem problem, final int most, final JsonObject row) {
        final var task = PlacementTask.forAll(problem, most, Long.MAX_VALUE);
        final long startNs = System.nanoTime();
        if (!(VnfPlacement.solve(task, Limits.standard()) instanceof Placed placed)) {
            throw new IllegalStateException("no sites");
        }
        row.addProperty("seconds", (System.nanoTime() - startNs) / 1e9);
        row.addProperty("present", Case.solve(Instance.of(problem), Objective.LATENCY).value());
        row.addProperty("hints", placed.value());
        row.addProperty("random", VnfPlacement.route(task, task.anywhere(new Random(1)), Limits.standard())
            .orElseThrow().value());
        row.addProperty("bound", placed.bound());
        row.addProperty("gap", placed.gap());
    }
}

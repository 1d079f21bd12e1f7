// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Scheme;
import io.sluice.planner.dp.SequentialResult;
import io.sluice.planner.dp.SequentialRouting;
import io.sluice.planner.dp.Tuning;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.lp.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * S8-dp-load: mean latency of a chain's traffic in ms by SB-LP, SB-DP, COMPUTE-AWARE and ANYCAST, over the load as a
 * share of the largest that SB-LP carries (figure 12 c); a scheme that doesn't carry it all has no latency there.
 */
final class LatencyOverLoad implements Part {
    private static final List<Integer> LOADS_PERCENT = List.of(5, 10, 20, 40, 60, 80, 90);
    private static final int COVERAGE = 50;
    private static final double PERCENT = 100;
    private static final double US_PER_MS = 1_000;

    private final int chains;

    LatencyOverLoad(final int chains) {
        this.chains = chains;
    }

    @Override
    public List<JsonObject> points() {
        final var points = new Points("S8-load", Case.GRAPHS.size() * LOADS_PERCENT.size());
        final var rows = new ArrayList<JsonObject>();
        for (final var graph : Case.GRAPHS) {
            final var each = new Case(graph, chains, COVERAGE, 1);
            for (final int percent : LOADS_PERCENT) {
                final var point = each.point();
                point.addProperty("load-percent", percent);
                rows.add(points.at(point, row -> compare(each.instance(), percent / PERCENT, row)));
            }
        }
        return rows;
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        final var more = points.stream().filter(point -> point.has(ScaleOfSchemes.SB_DP))
            .map(point -> point.get(ScaleOfSchemes.SB_DP).getAsDouble() / point.get(ScaleOfSchemes.SB_LP).getAsDouble()
                - 1)
            .toList();
        return List.of(Row.largest("S8-dp-load", more, Map.of("graphs", Case.GRAPHS, "coverage-percent", COVERAGE,
            "chains", chains, "seed", 1, "load-percent", LOADS_PERCENT, "kappas", LatencyOfSchemes.KAPPAS, "passes",
            "up to " + Tuning.PASSES))
            .beside(Map.of("points it does not carry", (double) points.size() - more.size())));
    }

    private static void compare(final Instance whole, final double share, final JsonObject row) {
        final double load = share * Case.solve(whole, Objective.SCALE).value();
        final var instance = whole.scaledBy(load);
        final double msPerLatency = 1 / (US_PER_MS * load * whole.problem().chains().stream()
            .mapToDouble(chain -> chain.stages().get(0).total().bitsPerSecond()).sum());
        row.addProperty(ScaleOfSchemes.SB_LP, Case.solve(instance, Objective.LATENCY).value() * msPerLatency);
        add(LatencyOfSchemes.best(instance, LatencyOfSchemes.KAPPAS), ScaleOfSchemes.SB_DP, msPerLatency, row);
        final var weights = Weights.of(instance, 0);
        add(new SequentialRouting(instance, Scheme.COMPUTE_AWARE, weights).routeAll(Tuning.PASSES),
            ScaleOfSchemes.COMPUTE_AWARE, msPerLatency, row);
        add(new SequentialRouting(instance, Scheme.ANYCAST, weights).routeAll(), ScaleOfSchemes.ANYCAST, msPerLatency,
            row);
    }

    private static void add(final SequentialResult result, final String scheme, final double msPerLatency,
            final JsonObject row) {
        if (result.isComplete()) {
            row.addProperty(scheme, result.latency() * msPerLatency);
        }
    }
}

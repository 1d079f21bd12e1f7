// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.workload.PaperWorkload;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * S8-lp-100k: the last gap that was proven within ten minutes, for each objective; a run may end sooner, with the
 * standard gap. The load is a multiple of the largest scale found.
 */
final class LargeRouting implements Part {
    private static final long LIMIT_S = 600;

    private final Case large;

    /** One graph, and a tenth of the instances of the smaller sizes: each takes up to half an hour. */
    LargeRouting(final Case large) {
        this.large = large;
    }

    @Override
    public List<JsonObject> points() {
        final var points = new Points("S8-lp-100k", 3);
        final var scale = points.at(point(Objective.SCALE), row -> solve(1, Objective.SCALE, row));
        final double largest = scale.get("value").getAsDouble();
        return List.of(scale,
            points.at(point(Objective.LATENCY),
                row -> solve(largest * ExactRouting.NORMAL_LOAD, Objective.LATENCY, row)),
            points.at(point(Objective.CARRIED),
                row -> solve(largest * ExactRouting.OVERLOAD, Objective.CARRIED, row)));
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        return List.of(Row.largest("S8-lp-100k", Part.column(points, "gap"), Map.of("graph", large.graph(),
            "chains", large.chains(), "coverage-percent", large.coveragePercent(), "seed", large.seed(), "vnfs",
            PaperWorkload.VNFS, "sites", ExactRouting.SITES, "threads", Limits.THREADS, "objectives",
            ExactRouting.OBJECTIVES, "time-limit-s", LIMIT_S, "seconds", Part.column(points, "seconds"))));
    }

    private JsonObject point(final Objective objective) {
        final var point = large.point();
        point.addProperty("objective", objective.name());
        return point;
    }

    private void solve(final double load, final Objective objective, final JsonObject row) {
        final Instance instance = large.instance().scaledBy(load);
        final var best = new AtomicReference<double[]>();
        final long startNs = System.nanoTime();
        ChainRouting.solve(instance, objective, new Limits(Limits.GAP, Limits.THREADS, () -> isLate(startNs),
            (value, bound, gap) -> {
                if (!isLate(startNs)) {
                    best.set(new double[] {value, gap});
                }
            }));
        row.addProperty("seconds", (System.nanoTime() - startNs) / 1e9);
        row.addProperty("value", best.get()[0]);
        row.addProperty("gap", best.get()[1]);
    }

    private static boolean isLate(final long startNs) {
        return System.nanoTime() - startNs >= TimeUnit.SECONDS.toNanos(LIMIT_S);
    }
}

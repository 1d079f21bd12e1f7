// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RandomSplit;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.workload.PaperWorkload;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * S8-lp-1k, S8-lp-10k: time of SB-LP for the largest scale, for least latency at 0.8 of it, and for most traffic at 1.2
 * of it. Beside S8-lp-10k POP, which splits the chains at random.
 */
final class ExactRouting implements Part {
    static final double NORMAL_LOAD = 0.8;
    static final double OVERLOAD = 1.2;
    static final String SITES = "up to " + PaperWorkload.MAX_SITES;
    static final String OBJECTIVES = "scale, latency at 0.8 of it, carried at 1.2 of it";
    private static final String GAP = "gap";
    private static final int PARTS = 16;
    /** With fewer, parts are of so few chains that each must go many ways, which takes longer than all at once. */
    private static final int LEAST_FOR_POP = 5_000;

    private final String id;
    private final int chains;
    private final long[] seeds;

    ExactRouting(final String id, final int chains, final long... seeds) {
        this.id = id;
        this.chains = chains;
        this.seeds = seeds.clone();
    }

    @Override
    public List<JsonObject> points() {
        return points(id, Case.all(chains, seeds));
    }

    /** The cases solved for all objectives. */
    static List<JsonObject> points(final String id, final List<Case> cases) {
        final var points = new Points(id, cases.size());
        return cases.stream().map(each -> points.at(each.point(), row -> solve(each.instance(), row))).toList();
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        final var peers = new TreeMap<>(Map.of(
            "scale alone, s", Collections.max(Part.column(points, column(Objective.SCALE, "s")))));
        if (chains >= LEAST_FOR_POP) {
            peers.put("POP of " + PARTS + " parts, scale alone, s", Collections.max(Part.column(points, "pop-s")));
            peers.put("its least share of the scale", Collections.min(Part.column(points, "pop-share")));
        }
        return List.of(Row.largest(id, seconds(points), parameters(seeds, chains)).beside(peers));
    }

    /** The times of all objectives. */
    static List<Double> seconds(final List<JsonObject> points) {
        return columns(points, "s");
    }

    /** The gaps of all objectives. */
    static List<Double> gaps(final List<JsonObject> points) {
        return columns(points, GAP);
    }

    static Map<String, ?> parameters(final long[] seeds, final int... chains) {
        return Map.of("graphs", Case.GRAPHS, "coverage-percent", Case.COVERAGES, "chains", chains, "seeds", seeds,
            "vnfs", PaperWorkload.VNFS, "sites", SITES, "threads", Limits.THREADS, "objectives", OBJECTIVES);
    }

    private static void solve(final Instance instance, final JsonObject row) {
        final double scale = timed(instance, Objective.SCALE, row).value();
        if (instance.chainCount() >= LEAST_FOR_POP) {
            final long startNs = System.nanoTime();
            row.addProperty("pop-share",
                RandomSplit.solve(instance, PARTS, 1, Limits.standard()).orElseThrow().scale() / scale);
            row.addProperty("pop-s", (System.nanoTime() - startNs) / 1e9);
        }
        timed(instance.scaledBy(scale * NORMAL_LOAD), Objective.LATENCY, row);
        timed(instance.scaledBy(scale * OVERLOAD), Objective.CARRIED, row);
    }

    private static List<Double> columns(final List<JsonObject> points, final String figure) {
        return Part.column(points, Stream.of(Objective.values()).map(objective -> column(objective, figure))
            .toArray(String[]::new));
    }

    private static String column(final Objective objective, final String figure) {
        return objective.name().toLowerCase(Locale.ROOT) + "-" + figure;
    }

    private static Routed timed(final Instance instance, final Objective objective, final JsonObject row) {
        final long startNs = System.nanoTime();
        final var routed = Case.solve(instance, objective);
        row.addProperty(column(objective, "s"), (System.nanoTime() - startNs) / 1e9);
        row.addProperty(column(objective, GAP), routed.gap());
        return routed;
    }
}

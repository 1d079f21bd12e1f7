// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Scheme;
import io.sluice.planner.dp.SequentialRouting;
import io.sluice.planner.dp.Tuning;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.lp.Objective;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * S8-dp-alpha, S8-anycast, S8-onehop, S8-dplatency: the largest scale of all traffic that each scheme carries, over the
 * coverage (figures 12 a and 13 a). SB-DP and ONEHOP weigh utilisation by the best of {@link #KAPPAS}.
 */
final class ScaleOfSchemes implements Part {
    static final double[] KAPPAS = {0.3, 3, 30};
    static final String SB_LP = "sb-lp";
    static final String SB_DP = "sb-dp";
    static final String COMPUTE_AWARE = "compute-aware";
    static final String ANYCAST = "anycast";

    /** SB-DP with the one weight that the planner takes at {@link #TUNING_LOAD}. */
    private static final String TUNED = "sb-dp-tuned";
    private static final double TUNING_LOAD = 0.8;
    private static final int ANYCAST_COVERAGE = 50;
    private static final String ONEHOP = "onehop";
    private static final String DP_LATENCY = "dp-latency";

    private final int chains;

    ScaleOfSchemes(final int chains) {
        this.chains = chains;
    }

    @Override
    public List<JsonObject> points() {
        final var cases = Case.all(chains, 1);
        final var points = new Points("S8-scale", cases.size());
        return cases.stream().map(each -> points.at(each.point(), row -> {
            final var instance = each.instance();
            compare(instance, row);
            compareVariants(instance, row.get(SB_LP).getAsDouble(), row);
        })).toList();
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        final Map<String, ?> parameters = Map.of("graphs", Case.GRAPHS, "coverage-percent", Case.COVERAGES, "chains",
            chains, "seed", 1, "kappas", KAPPAS, "passes", "up to " + Tuning.PASSES);
        final var half = points.stream()
            .filter(point -> point.get("coverage-percent").getAsInt() == ANYCAST_COVERAGE).toList();
        return List.of(Row.largest("S8-dp-alpha", below(points, SB_DP), parameters)
                .beside(Map.of("at-the-planners-kappa", Collections.max(below(points, TUNED)))),
            Row.largest("S8-onehop", ratios(points, SB_DP, ONEHOP), parameters),
            Row.largest("S8-dplatency", ratios(points, SB_DP, DP_LATENCY), parameters),
            Row.smallest("S8-anycast", ratios(half, SB_LP, ANYCAST), parameters));
    }

    /** What SB-LP, SB-DP, COMPUTE-AWARE and ANYCAST carry. */
    static void compare(final Instance instance, final JsonObject row) {
        final double best = Case.solve(instance, Objective.SCALE).value();
        row.addProperty(SB_LP, best);
        row.addProperty(SB_DP, scale(instance, Scheme.SB_DP, best));
        row.addProperty(COMPUTE_AWARE, Tuning.scale(instance, Scheme.COMPUTE_AWARE, Weights.of(instance, 0), best));
        final var nearest = new SequentialRouting(instance, Scheme.ANYCAST, Weights.of(instance, 0)).routeAll();
        row.addProperty(ANYCAST, 1 / nearest.fullest());
    }

    /** How far each point's scheme stays below SB-LP, as a share of it. */
    static List<Double> below(final List<JsonObject> points, final String scheme) {
        return ratios(points, scheme, SB_LP).stream().map(ratio -> 1 - ratio).toList();
    }

    private static List<Double> ratios(final List<JsonObject> points, final String one, final String other) {
        return points.stream().map(point -> point.get(one).getAsDouble() / point.get(other).getAsDouble()).toList();
    }

    private static void compareVariants(final Instance instance, final double best, final JsonObject row) {
        row.addProperty(TUNED, Tuning.scale(instance, Scheme.SB_DP,
            Weights.of(instance, Case.kappa(instance.scaledBy(best * TUNING_LOAD))), best));
        row.addProperty(ONEHOP, scale(instance, Scheme.ONEHOP, best));
        row.addProperty(DP_LATENCY, Tuning.scale(instance, Scheme.DP_LATENCY, Weights.of(instance, 0), best));
    }

    private static double scale(final Instance instance, final Scheme scheme, final double limit) {
        return Arrays.stream(KAPPAS)
            .map(kappa -> Tuning.scale(instance, scheme, Weights.of(instance, kappa), limit)).max().orElseThrow();
    }
}

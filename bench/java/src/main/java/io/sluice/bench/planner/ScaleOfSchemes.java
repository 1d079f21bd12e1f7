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
 * S8-dp-alpha, S8-anycast, S8-onehop, S8-dplatency: the largest scale of all traffic that each scheme carries.
 * SB-DP and ONEHOP weigh utilisation by the best of {@link #KAPPAS}.
 */
final class ScaleOfSchemes implements Part {
    /** SB-DP with the one weight that the planner takes at {@link #TUNING_LOAD}. */
    private static final String TUNED = "sb-dp-tuned";
    private static final double TUNING_LOAD = 0.8;
    private static final int ANYCAST_COVERAGE = 50;
    private static final double[] KAPPAS = {0.3, 3, 30};
    private static final String SB_DP = "sb-dp";
    private static final String ONEHOP = "onehop";
    private static final String DP_LATENCY = "dp-latency";
    private static final String ANYCAST = "anycast";

    private final int chains;

    ScaleOfSchemes(final int chains) {
        this.chains = chains;
    }

    @Override
    public List<JsonObject> points() {
        final var cases = Case.all(chains, 1);
        final var points = new Points("S8-scale", cases.size());
        return cases.stream().map(each -> points.at(each.point(), row -> compare(each, row))).toList();
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        final Map<String, ?> parameters = Map.of("graphs", Case.GRAPHS, "coverage-percent", Case.COVERAGES, "chains",
            chains, "seed", 1, "kappas", KAPPAS, "passes", "up to " + Tuning.PASSES);
        return List.of(Row.largest("S8-dp-alpha", below(points, SB_DP), parameters)
                .beside(Map.of("at-the-planners-kappa", Collections.max(below(points, TUNED)))),
            Row.largest("S8-onehop", ratios(points, ONEHOP), parameters),
            Row.largest("S8-dplatency", ratios(points, DP_LATENCY), parameters),
            Row.smallest("S8-anycast", Part.column(points, ANYCAST).stream().map(alpha -> 1 / alpha).toList(),
                parameters));
    }

    private static List<Double> below(final List<JsonObject> points, final String scheme) {
        return Part.column(points, scheme).stream().map(alpha -> 1 - alpha).toList();
    }

    private static List<Double> ratios(final List<JsonObject> points, final String other) {
        return points.stream().map(point -> point.get(SB_DP).getAsDouble() / point.get(other).getAsDouble()).toList();
    }

    /** Scales as shares of the largest, that of SB-LP. */
    private static void compare(final Case each, final JsonObject row) {
        final var instance = each.instance();
        final double best = Case.solve(instance, Objective.SCALE).value();
        row.addProperty(SB_DP, scale(instance, Scheme.SB_DP, best) / best);
        row.addProperty(TUNED, Tuning.scale(instance, Scheme.SB_DP,
            Weights.of(instance, Case.kappa(instance.scaledBy(best * TUNING_LOAD))), best) / best);
        row.addProperty(ONEHOP, scale(instance, Scheme.ONEHOP, best) / best);
        row.addProperty(DP_LATENCY, Tuning.scale(instance, Scheme.DP_LATENCY, Weights.of(instance, 0), best) / best);
        if (each.coveragePercent() == ANYCAST_COVERAGE) {
            final var nearest = new SequentialRouting(instance, Scheme.ANYCAST, Weights.of(instance, 0)).routeAll();
            row.addProperty(ANYCAST, 1 / nearest.fullest() / best);
        }
    }

    private static double scale(final Instance instance, final Scheme scheme, final double limit) {
        return Arrays.stream(KAPPAS)
            .map(kappa -> Tuning.scale(instance, scheme, Weights.of(instance, kappa), limit)).max().orElseThrow();
    }
}

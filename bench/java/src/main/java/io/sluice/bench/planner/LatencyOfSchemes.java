// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Scheme;
import io.sluice.planner.dp.SequentialResult;
import io.sluice.planner.dp.Tuning;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.lp.Objective;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * S8-dp-latency, S8-priced-latency: latency of SB-DP, with and without the prices of a linear program, against that of
 * SB-LP.
 */
final class LatencyOfSchemes implements Part {
    static final double[] KAPPAS = {0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
    /** Prices come from a program with a little more traffic, so that they also mark what is nearly full. */
    private static final double[] PRICING_MARGINS = {1.02, 1.03, 1.05, 1.1};
    private static final double HALF_LOAD = 0.5;
    private static final double LOAD = 0.8;

    private final int chains;

    LatencyOfSchemes(final int chains) {
        this.chains = chains;
    }

    @Override
    public List<JsonObject> points() {
        final var cases = Case.all(chains, 1);
        final var points = new Points("S8-latency", cases.size());
        return cases.stream().map(each -> points.at(each.point(), row -> {
            final var instance = each.instance();
            final double scale = Case.solve(instance, Objective.SCALE).value();
            final var half = instance.scaledBy(scale * HALF_LOAD);
            row.addProperty("dp-over-lp", alone(half, KAPPAS));
            row.addProperty("tuned-over-lp", alone(half, Case.kappa(instance.scaledBy(scale * LOAD))));
            row.addProperty("priced-over-lp", priced(instance.scaledBy(scale * LOAD)));
        })).toList();
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        final Map<String, ?> parameters = Map.of("graphs", Case.GRAPHS, "coverage-percent", Case.COVERAGES, "chains",
            chains, "seed", 1, "kappas", KAPPAS, "passes", "up to " + Tuning.PASSES, "pricing-margins",
            PRICING_MARGINS);
        return List.of(Row.largest("S8-dp-latency", Part.column(points, "dp-over-lp"), parameters)
                .beside(Map.of("at-the-planners-kappa", Collections.max(Part.column(points, "tuned-over-lp")))),
            Row.largest("S8-priced-latency", Part.column(points, "priced-over-lp"), parameters));
    }

    /** SB-DP by the best of some weights. */
    static SequentialResult best(final Instance instance, final double... kappas) {
        return Tuning.best(instance, Scheme.SB_DP,
            DoubleStream.of(kappas).mapToObj(kappa -> Weights.of(instance, kappa)).toList());
    }

    /** What is not carried is the dearest, so the row is refused where something is left. */
    private static double alone(final Instance instance, final double... kappas) {
        final double least = Case.solve(instance, Objective.LATENCY).value();
        final var result = best(instance, kappas);
        return result.isComplete() ? result.latency() / least - 1 : Double.POSITIVE_INFINITY;
    }

    /** By the best margin and weight with which all is carried; the row is refused if there are none. */
    private static double priced(final Instance instance) {
        final double least = Case.solve(instance, Objective.LATENCY).value();
        return Arrays.stream(PRICING_MARGINS).mapToObj(margin -> {
            final var prices = Case.solve(instance.scaledBy(margin), Objective.LATENCY).prices();
            return Tuning.best(instance, Scheme.SB_DP,
                DoubleStream.of(KAPPAS).mapToObj(kappa -> Weights.priced(instance, kappa, prices)).toList());
        }).filter(SequentialResult::isComplete).mapToDouble(result -> result.latency() / least - 1).min()
            .orElse(Double.POSITIVE_INFINITY);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Scheme;
import io.sluice.planner.dp.SequentialRouting;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.lp.Objective;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** S8-dp-p50, S8-dp-p99: time of SB-DP for each chain, warm, at 0.8 of the largest scale. */
final class TimesOfDp implements Part {
    private static final double LOAD = 0.8;
    private static final int WARM_UPS = 3;

    private final int chains;

    TimesOfDp(final int chains) {
        this.chains = chains;
    }

    @Override
    public List<JsonObject> points() {
        final var cases = Case.all(chains, 1);
        final var points = new Points("S8-dp", cases.size());
        return cases.stream().map(each -> points.at(each.point(), row -> {
            final var instance = each.instance();
            time(instance.scaledBy(Case.solve(instance, Objective.SCALE).value() * LOAD), row);
        })).toList();
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        final Map<String, ?> parameters = Map.of("graphs", Case.GRAPHS, "coverage-percent", Case.COVERAGES, "chains",
            chains, "seed", 1, "kappa", "tuned", "warm-ups", WARM_UPS);
        return List.of(Row.largest("S8-dp-p50", Part.column(points, "p50-us"), parameters),
            Row.largest("S8-dp-p99", Part.column(points, "p99-us"), parameters));
    }

    private static void time(final Instance instance, final JsonObject row) {
        final var weights = Weights.of(instance, Case.kappa(instance));
        final var us = new double[instance.chainCount()];
        for (int run = 0; run <= WARM_UPS; run++) {
            final var routing = new SequentialRouting(instance, Scheme.SB_DP, weights);
            for (int chain = 0; chain < us.length; chain++) {
                final long startNs = System.nanoTime();
                routing.route(instance.chain(chain));
                us[chain] = (System.nanoTime() - startNs) / 1e3;
            }
        }
        Arrays.sort(us);
        row.addProperty("p50-us", us[us.length / 2]);
        row.addProperty("p99-us", us[us.length / 100 * 99]);
    }
}

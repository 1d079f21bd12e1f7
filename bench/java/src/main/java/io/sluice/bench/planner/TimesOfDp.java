// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Scheme;
import io.sluice.planner.dp.SequentialRouting;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.model.Problem;
import io.sluice.planner.plan.Change;
import io.sluice.planner.plan.KeptPlan;
import io.sluice.planner.plan.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * S8-dp-p50, S8-dp-p99: time of SB-DP for each chain, warm, at 0.8 of the largest scale. Beside them the time until a
 * plan that is kept follows an order in which one chain differs.
 */
final class TimesOfDp implements Part {
    private static final double LOAD = 0.8;
    private static final int WARM_UPS = 3;
    private static final int CHANGES = 101;
    private static final long MILLION = 1_000_000;

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
            final double scale = Case.solve(instance, Objective.SCALE).value() * LOAD;
            time(instance.scaledBy(scale), row);
            row.addProperty("change-us", changeUs(new Change.Traffic(Math.round(scale * MILLION))
                .applyTo(instance.problem())));
        })).toList();
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        final Map<String, ?> parameters = Map.of("graphs", Case.GRAPHS, "coverage-percent", Case.COVERAGES, "chains",
            chains, "seed", 1, "kappa", "tuned", "warm-ups", WARM_UPS);
        return List.of(Row.largest("S8-dp-p50", Part.column(points, "p50-us"), parameters)
                .beside(Map.of("one-changed-chain-in-the-kept-plan", Collections.max(Part.column(points,
                    "change-us")))),
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

    /** Median over chains that have nine tenths of their traffic left, one after the other. */
    private static double changeUs(final Problem problem) {
        final var kept = new KeptPlan();
        kept.follow(new Order(problem), () -> false);
        final var less = new Change.Traffic(MILLION / 10 * 9).applyTo(problem).chains();
        final var chains = new ArrayList<>(problem.chains());
        final var us = new double[Math.min(CHANGES, chains.size())];
        for (int change = 0; change < us.length; change++) {
            chains.set(change, less.get(change));
            final var order = new Order(problem.withChains(chains));
            final long startNs = System.nanoTime();
            kept.follow(order, () -> false);
            us[change] = (System.nanoTime() - startNs) / 1e3;
        }
        Arrays.sort(us);
        return us[us.length / 2];
    }
}

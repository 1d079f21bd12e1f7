// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Scheme;
import io.sluice.planner.dp.SequentialRouting;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Problem;
import io.sluice.planner.plan.Change;
import io.sluice.planner.plan.KeptPlan;
import io.sluice.planner.plan.Order;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * S8-dp-p50, S8-dp-p99: time of SB-DP for each chain, warm, at 0.8 of the largest scale. Beside them the time until a
 * plan that is kept follows an order in which one chain is new, has more traffic, or is gone.
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
            final var problem = new Change.Traffic(Math.round(scale * MILLION)).applyTo(instance.problem());
            final var lesser = new Change.Traffic(MILLION / 10 * 9).applyTo(problem);
            row.addProperty("arrival-us", followUs(problem, List.of(), TimesOfDp::put));
            row.addProperty("growth-us", followUs(problem, lesser.chains().subList(0, CHANGES), TimesOfDp::put));
            row.addProperty("leaving-us", followUs(problem, problem.chains().subList(0, CHANGES),
                (chains, chain) -> chains.remove(chain.name())));
        })).toList();
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        final Map<String, ?> parameters = Map.of("graphs", Case.GRAPHS, "coverage-percent", Case.COVERAGES, "chains",
            chains, "seed", 1, "kappa", "tuned", "warm-ups", WARM_UPS);
        return List.of(Row.largest("S8-dp-p50", Part.column(points, "p50-us"), parameters)
                .beside(Map.of("a-chain-arrives-in-the-kept-plan", Collections.max(Part.column(points, "arrival-us")),
                    "a-chain-grows-in-the-kept-plan", Collections.max(Part.column(points, "growth-us")),
                    "a-chain-leaves-the-kept-plan", Collections.max(Part.column(points, "leaving-us")))),
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

    private static void put(final Map<String, Chain> chains, final Chain chain) {
        chains.put(chain.name(), chain);
    }

    /**
     * Median time of changes to the first chains, one after the other.
     *
     * @param before what the first chains were, if they were there
     * @param change how one of them changes among those that there are, by name
     */
    private static double followUs(final Problem problem, final List<Chain> before,
            final BiConsumer<Map<String, Chain>, Chain> change) {
        final var chains = new LinkedHashMap<String, Chain>();
        final var rest = problem.chains().subList(CHANGES, problem.chains().size());
        Stream.of(before, rest).flatMap(List::stream).forEach(chain -> put(chains, chain));
        final var kept = new KeptPlan();
        kept.follow(new Order(problem.withChains(List.copyOf(chains.values()))), () -> false);
        final var us = new double[CHANGES];
        for (int i = 0; i < us.length; i++) {
            change.accept(chains, problem.chains().get(i));
            final var order = new Order(problem.withChains(List.copyOf(chains.values())));
            final long startNs = System.nanoTime();
            kept.follow(order, () -> false);
            us[i] = (System.nanoTime() - startNs) / 1e3;
        }
        Arrays.sort(us);
        return us[us.length / 2];
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Scheme;
import io.sluice.planner.dp.SequentialResult;
import io.sluice.planner.dp.Tuning;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.model.Problem;
import io.sluice.planner.plan.Change;
import io.sluice.planner.plan.Figures;
import io.sluice.planner.plan.Guide;
import io.sluice.planner.plan.KeptPlan;
import io.sluice.planner.plan.Order;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * S8-dp-latency, S8-priced-latency: latency of SB-DP, with and without the prices of a linear program, against that of
 * SB-LP.
 */
final class LatencyOfSchemes implements Part {
    static final double[] KAPPAS = {0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
    /** Every tenth chain comes when the others are in place. */
    private static final int LATE = 10;
    private static final double HALF_LOAD = 0.5;
    private static final double LOAD = 0.8;
    private static final double MILLION = 1e6;

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
            row.addProperty("dp-over-lp", alone(half, Case.kappa(half)));
            row.addProperty("best-over-lp", alone(half, KAPPAS));
            addGuided(new Change.Traffic(Math.round(scale * LOAD * MILLION)).applyTo(instance.problem()), row);
        })).toList();
    }

    @Override
    public List<Row> rows() {
        final var points = points();
        final Map<String, ?> parameters = Map.of("graphs", Case.GRAPHS, "coverage-percent", Case.COVERAGES, "chains",
            chains, "seed", 1, "kappas", KAPPAS, "passes", "up to " + Tuning.PASSES);
        return List.of(Row.largest("S8-dp-latency", Part.column(points, "dp-over-lp"), parameters)
                .beside(Map.of("at-the-best-of-some-kappas",
                    Collections.max(Part.column(points, "best-over-lp")))),
            Row.largest("S8-priced-latency", Part.column(points, "guided-over-lp"), Map.of("graphs", Case.GRAPHS,
                "coverage-percent", Case.COVERAGES, "chains", chains, "seed", 1, "kappas", Tuning.KAPPAS, "headroom",
                0))
                .beside(Map.of("with-headroom", Collections.max(Part.column(points, "headroom-over-lp")),
                    "carried-with-headroom", Collections.min(Part.column(points, "headroom-carried")),
                    "with-headroom-and-a-tenth-later", Collections.max(Part.column(points, "late-over-lp")),
                    "carried-then", Collections.min(Part.column(points, "late-carried")))));
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

    /** The planner's own plan at what it learns from programs: of all chains, and with some that come later. */
    private static void addGuided(final Problem problem, final JsonObject row) {
        final double least = Case.solve(Instance.of(problem), Objective.LATENCY).value();
        final var alone = followed(guided(problem, 0), problem);
        row.addProperty("guided-over-lp", alone.carried().equals(alone.demand()) ? over(alone, least)
            : Double.POSITIVE_INFINITY);
        add(followed(guided(problem, Guide.HEADROOM), problem), "headroom", least, row);

        final var early = problem.withChains(IntStream.range(0, problem.chains().size())
            .filter(chain -> chain % LATE > 0).mapToObj(problem.chains()::get).toList());
        final var kept = guided(early, Guide.HEADROOM);
        followed(kept, early);
        add(followed(kept, problem), "late", least, row);
    }

    private static void add(final Figures figures, final String which, final double least, final JsonObject row) {
        row.addProperty(which + "-carried", carried(figures));
        row.addProperty(which + "-over-lp", over(figures, least));
    }

    private static double carried(final Figures figures) {
        return (double) figures.carried().bitsPerSecond() / figures.demand().bitsPerSecond();
    }

    /** How far a plan's latency is above the least of all traffic, taken as that of the part that it carries. */
    static double over(final Figures figures, final double least) {
        return figures.latency() / (least * carried(figures)) - 1;
    }

    private static Figures followed(final KeptPlan kept, final Problem problem) {
        return kept.follow(new Order(problem), () -> false).orElseThrow().figures();
    }

    private static KeptPlan guided(final Problem problem, final double headroom) {
        final var instance = Instance.of(problem);
        final var kept = new KeptPlan();
        kept.guideBy(Guide.learnt(instance, Case.solve(instance, Objective.LATENCY), headroom, Limits.standard()));
        return kept;
    }
}

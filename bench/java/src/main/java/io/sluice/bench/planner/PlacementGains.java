// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.model.Problem;
import io.sluice.planner.placement.PlacementAnswer.Placed;
import io.sluice.planner.placement.PlacementTask;
import io.sluice.planner.placement.VnfPlacement;
import io.sluice.planner.plan.Change;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * S9-placement: latency with VNFs at the new sites of the hints, against sites chosen at random, at half of the traffic
 * that fits without any. At a new site a VNF may use what the site has.
 */
final class PlacementGains {
    private static final List<String> GRAPHS = List.of("AttMpls", "germany50", "ta2");
    private static final int[] NEW_SITES = {1, 2, 3, 4};
    private static final int COVERAGE = 10;
    private static final int HEADROOM = 300;
    private static final double LOAD = 0.5;
    private static final double MILLION = 1e6;

    private final int chains;
    private final Measurement saved = new Measurement("S9-placement");
    private final Measurement gap = new Measurement("gap");
    private final RawRows rows = new RawRows("S9-placement");

    PlacementGains(final int chains) {
        this.chains = chains;
    }

    void run() {
        for (final var graph : GRAPHS) {
            final var unscaled = new Case(graph, chains, COVERAGE, 1).problem(HEADROOM);
            final double scale = Case.solve(Instance.of(unscaled), Objective.SCALE).value();
            final var problem = new Change.Traffic(Math.round(scale * LOAD * MILLION)).applyTo(unscaled);
            final double present = Case.solve(Instance.of(problem), Objective.LATENCY).value();
            for (final int most : NEW_SITES) {
                compare(graph, problem, most, present);
            }
        }
        rows.store();
        saved.printLargest(String.format(Locale.ROOT, "{\"graphs\": %s, \"coverage-percent\": %d, \"chains\": %d, "
            + "\"seed\": 1, \"load\": %.1f, \"new-sites-per-vnf\": %s, \"largest-gap\": %.3g}",
            Measurement.json(GRAPHS), COVERAGE, chains, LOAD, Arrays.toString(NEW_SITES), gap.largest()));
    }

    private void compare(final String graph, final Problem problem, final int most, final double present) {
        final var task = PlacementTask.forAll(problem, most, Long.MAX_VALUE);
        final long startNs = System.nanoTime();
        if (!(VnfPlacement.solve(task, Limits.standard()) instanceof Placed placed)) {
            throw new IllegalStateException("no sites");
        }
        final double seconds = (System.nanoTime() - startNs) / 1e9;
        final double random = VnfPlacement.route(task, task.anywhere(new Random(1)), Limits.standard()).orElseThrow()
            .value();
        saved.add(1 - placed.value() / random);
        gap.add(placed.gap());
        rows.add("{\"graph\": \"%s\", \"new-sites\": %d, \"present\": %.6g, \"hints\": %.6g, \"random\": %.6g, "
            + "\"bound\": %.6g, \"gap\": %.3g, \"seconds\": %.3g}", graph, most, present, placed.value(), random,
            placed.bound(), placed.gap(), seconds);
    }
}

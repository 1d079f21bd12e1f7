// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.CapacityAnswer.Expanded;
import io.sluice.planner.lp.CapacityPlanning;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.model.Additions;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * S9-capacity: what all traffic can grow by when compute is added to sites as planned, against the same for each site
 * and random parts. Sites have as much compute as the load needs on average, so that compute is what is short.
 */
final class CapacityGains {
    private static final List<String> GRAPHS = List.of("AttMpls", "germany50", "ta2");
    private static final int[] ADDED_PERCENT = {10, 25, 50, 75, 100};
    private static final int COVERAGE = 50;
    private static final int HEADROOM = 100;
    private static final double PERCENT = 100;

    private final int chains;
    private final Measurement gain = new Measurement("S9-capacity");
    private final Measurement overRandom = new Measurement("over random");
    private final Measurement gap = new Measurement("gap");
    private final RawRows rows = new RawRows("S9-capacity");

    CapacityGains(final int chains) {
        this.chains = chains;
    }

    void run() {
        for (final var graph : GRAPHS) {
            final var problem = new Case(graph, chains, COVERAGE, 1).problem(HEADROOM);
            final double present = Case.solve(Instance.of(problem), Objective.SCALE).value();
            for (final int percent : ADDED_PERCENT) {
                compare(graph, problem, percent, present);
            }
        }
        rows.store();
        gain.printLargest(String.format(Locale.ROOT, "{\"graphs\": %s, \"coverage-percent\": %d, \"chains\": %d, "
            + "\"seed\": 1, \"compute-percent\": %d, \"added-percent\": %s, \"largest-gap\": %.3g}",
            Measurement.json(GRAPHS), COVERAGE, chains, HEADROOM, Arrays.toString(ADDED_PERCENT), gap.largest()),
            String.format(Locale.ROOT, "{\"over random\": %.6g}", overRandom.largest()));
    }

    private void compare(final String graph, final Problem problem, final int percent, final double present) {
        final long added = Math.round(problem.sites().stream().mapToDouble(Site::cyclesPerSecond).sum() * percent
            / PERCENT);
        final long startNs = System.nanoTime();
        if (!(CapacityPlanning.solve(Instance.of(problem), added, Limits.standard()) instanceof Expanded planned)) {
            throw new IllegalStateException("no routes");
        }
        final double seconds = (System.nanoTime() - startNs) / 1e9;
        final double uniform = scale(problem, Additions.uniform(problem, added));
        final double random = scale(problem, Additions.random(problem, added, new Random(1)));
        gain.add(planned.value() / uniform - 1);
        overRandom.add(planned.value() / random - 1);
        gap.add(planned.gap());
        rows.add("{\"graph\": \"%s\", \"added-percent\": %d, \"present\": %.6g, \"planned\": %.6g, \"uniform\": %.6g, "
            + "\"random\": %.6g, \"gap\": %.3g, \"seconds\": %.3g}", graph, percent, present, planned.value(), uniform,
            random, planned.gap(), seconds);
    }

    private static double scale(final Problem problem, final Additions additions) {
        return Case.solve(Instance.of(additions.applyTo(problem)), Objective.SCALE).value();
    }
}

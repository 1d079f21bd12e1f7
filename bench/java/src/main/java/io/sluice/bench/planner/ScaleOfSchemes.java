// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Scheme;
import io.sluice.planner.dp.SequentialRouting;
import io.sluice.planner.dp.Tuning;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.lp.Objective;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * S8-dp-alpha, S8-anycast, S8-onehop, S8-dplatency: the largest scale of all traffic that each scheme carries.
 * SB-DP and ONEHOP weigh utilisation by the best of {@link #KAPPAS}.
 */
final class ScaleOfSchemes {
    private static final List<String> GRAPHS = List.of("AttMpls", "germany50", "ta2");
    private static final int[] COVERAGES = {25, 50, 100};
    private static final int ANYCAST_COVERAGE = 50;
    private static final double[] KAPPAS = {0.3, 3, 30};

    private final int chains;
    private final Measurement dp = new Measurement("S8-dp-alpha");
    private final Measurement anycast = new Measurement("S8-anycast");
    private final Measurement oneHop = new Measurement("S8-onehop");
    private final Measurement delayOnly = new Measurement("S8-dplatency");

    ScaleOfSchemes(final int chains) {
        this.chains = chains;
    }

    void run() {
        for (final var graph : GRAPHS) {
            for (final int coverage : COVERAGES) {
                compare(new Case(graph, chains, coverage, 1).instance(), coverage);
            }
        }
        final var parameters = String.format(Locale.ROOT, "{\"graphs\": %s, \"coverage-percent\": %s, \"chains\": %d, "
            + "\"seed\": 1, \"kappas\": %s, \"passes\": \"up to %d\"}", Measurement.json(GRAPHS),
            Arrays.toString(COVERAGES), chains, Arrays.toString(KAPPAS), Tuning.PASSES);
        List.of(dp, oneHop, delayOnly).forEach(row -> row.printLargest(parameters));
        anycast.printSmallest(parameters);
    }

    private void compare(final Instance instance, final int coverage) {
        final double best = Case.solve(instance, Objective.SCALE).value();
        final double ours = scale(instance, Scheme.SB_DP, best);
        dp.add(1 - ours / best);
        oneHop.add(ours / scale(instance, Scheme.ONEHOP, best));
        delayOnly.add(ours / Tuning.scale(instance, Scheme.DP_LATENCY, Weights.of(instance, 0), best));
        if (coverage == ANYCAST_COVERAGE) {
            final var nearest = new SequentialRouting(instance, Scheme.ANYCAST, Weights.of(instance, 0)).routeAll();
            anycast.add(best * nearest.fullest());
        }
    }

    private static double scale(final Instance instance, final Scheme scheme, final double limit) {
        return Arrays.stream(KAPPAS)
            .map(kappa -> Tuning.scale(instance, scheme, Weights.of(instance, kappa), limit)).max().orElseThrow();
    }
}

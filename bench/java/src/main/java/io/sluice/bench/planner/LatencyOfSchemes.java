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
import java.util.stream.DoubleStream;

/**
 * S8-dp-latency, S8-priced-latency, S8-dp-p50, S8-dp-p99: latency of SB-DP, with and without the prices of a linear
 * program, against that of SB-LP; and its time for each chain.
 */
final class LatencyOfSchemes {
    private static final List<String> GRAPHS = List.of("AttMpls", "germany50", "ta2");
    private static final int[] COVERAGES = {25, 50, 100};
    private static final double[] KAPPAS = {0.0003, 0.001, 0.003, 0.01, 0.03};
    /** Prices come from a program with a little more traffic, so that they also mark what is nearly full. */
    private static final double[] PRICING_MARGINS = {1.05, 1.1};
    private static final double HALF_LOAD = 0.5;
    private static final double LOAD = 0.8;
    private static final int WARM_UPS = 3;

    private final int chains;
    private final Measurement latency = new Measurement("S8-dp-latency");
    private final Measurement priced = new Measurement("S8-priced-latency");
    private final Measurement p50 = new Measurement("S8-dp-p50");
    private final Measurement p99 = new Measurement("S8-dp-p99");

    LatencyOfSchemes(final int chains) {
        this.chains = chains;
    }

    void run() {
        for (final var graph : GRAPHS) {
            for (final int coverage : COVERAGES) {
                final var instance = new Case(graph, chains, coverage, 1).instance();
                final double scale = Case.solve(instance, Objective.SCALE).value();
                latencyAlone(instance.scaledBy(scale * HALF_LOAD));
                latencyPriced(instance.scaledBy(scale * LOAD));
                time(instance.scaledBy(scale * LOAD));
            }
        }
        final var parameters = String.format(Locale.ROOT, "{\"graphs\": %s, \"coverage-percent\": %s, \"chains\": %d, "
            + "\"seed\": 1, \"kappas\": %s, \"passes\": \"up to %d\", \"pricing-margins\": %s}", Measurement.json(GRAPHS),
            Arrays.toString(COVERAGES), chains, Arrays.toString(KAPPAS), Tuning.PASSES,
            Arrays.toString(PRICING_MARGINS));
        List.of(latency, priced, p50, p99).forEach(row -> row.printLargest(parameters));
    }

    private void latencyAlone(final Instance instance) {
        final double least = Case.solve(instance, Objective.LATENCY).value();
        final var result = Tuning.best(instance, Scheme.SB_DP,
            DoubleStream.of(KAPPAS).mapToObj(kappa -> Weights.of(instance, kappa)).toList());
        latency.add(result.latency() / result.carried() / least - 1);
    }

    /** Takes the first margin with which all is carried; the row is refused if there is none. */
    private void latencyPriced(final Instance instance) {
        final double least = Case.solve(instance, Objective.LATENCY).value();
        priced.add(Arrays.stream(PRICING_MARGINS).mapToObj(margin -> {
            final var prices = Case.solve(instance.scaledBy(margin), Objective.LATENCY).prices();
            return Tuning.best(instance, Scheme.SB_DP,
                DoubleStream.of(KAPPAS).mapToObj(kappa -> Weights.priced(instance, kappa, prices)).toList());
        }).filter(result -> result.isComplete()).mapToDouble(result -> result.latency() / least - 1).findFirst()
            .orElse(Double.POSITIVE_INFINITY));
    }

    private void time(final Instance instance) {
        final var weights = Weights.of(instance, KAPPAS[1]);
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
        p50.add(us[us.length / 2]);
        p99.add(us[us.length / 100 * 99]);
    }
}

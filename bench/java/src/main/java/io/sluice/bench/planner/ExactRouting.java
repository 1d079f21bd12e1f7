// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RandomSplit;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * S8-lp-1k, S8-lp-10k, S8-gap: time and proven gap of SB-LP for the largest scale, for least latency at 0.8 of it, and
 * for most traffic at 1.2 of it. Beside it POP, which splits the chains at random.
 */
final class ExactRouting {
    private static final List<String> GRAPHS = List.of("AttMpls", "germany50", "ta2");
    private static final int[] COVERAGES = {25, 50, 100};
    private static final double NORMAL_LOAD = 0.8;
    private static final double OVERLOAD = 1.2;

    private static final int PARTS = 16;

    private final Measurement gap = new Measurement("S8-gap");
    private Measurement scaleSeconds;
    private Measurement partsSeconds;
    private Measurement partsScale;

    void run() {
        solveAll(1_000, new long[] {1, 2}, new Measurement("S8-lp-1k"));
        solveAll(10_000, new long[] {1}, new Measurement("S8-lp-10k"));
        gap.printLargest(parameters("[1000, 10000]", new long[] {1, 2}));
    }

    private void solveAll(final int chains, final long[] seeds, final Measurement seconds) {
        forgetPeers();
        solve(new Case(GRAPHS.get(0), chains, COVERAGES[0], 0).instance(), new Measurement("warm-up"));
        forgetPeers();
        for (final var graph : GRAPHS) {
            for (final int coverage : COVERAGES) {
                for (final long seed : seeds) {
                    solve(new Case(graph, chains, coverage, seed).instance(), seconds);
                }
            }
        }
        seconds.printLargest(parameters(String.valueOf(chains), seeds), String.format(Locale.ROOT,
            "{\"scale alone, s\": %.6g, \"POP of %d parts, scale alone, s\": %.6g, \"its least share of the scale\": "
            + "%.6g}", scaleSeconds.largest(), PARTS, partsSeconds.largest(), partsScale.smallest()));
    }

    private void forgetPeers() {
        scaleSeconds = new Measurement("scale");
        partsSeconds = new Measurement("POP");
        partsScale = new Measurement("POP's scale");
    }

    private void solve(final Instance instance, final Measurement seconds) {
        final double scale = timed(instance, Objective.SCALE, seconds).value();
        scaleSeconds.add(seconds.last());
        final long startNs = System.nanoTime();
        partsScale.add(RandomSplit.solve(instance, PARTS, 1, Limits.standard()).orElseThrow().scale() / scale);
        partsSeconds.add((System.nanoTime() - startNs) / 1e9);
        timed(instance.scaledBy(scale * NORMAL_LOAD), Objective.LATENCY, seconds);
        timed(instance.scaledBy(scale * OVERLOAD), Objective.CARRIED, seconds);
    }

    private Routed timed(final Instance instance, final Objective objective, final Measurement seconds) {
        final long startNs = System.nanoTime();
        final var routed = Case.solve(instance, objective);
        seconds.add((System.nanoTime() - startNs) / 1e9);
        gap.add(routed.gap());
        return routed;
    }

    private static String parameters(final String chains, final long[] seeds) {
        return String.format(Locale.ROOT, "{\"graphs\": %s, \"coverage-percent\": %s, \"chains\": %s, \"seeds\": %s, "
            + "\"vnfs\": 100, \"sites\": \"up to 40\", \"threads\": 2, \"objectives\": "
            + "\"scale, latency at %.1f of it, carried at %.1f of it\"}", Measurement.json(GRAPHS),
            Arrays.toString(COVERAGES), chains, Arrays.toString(seeds), NORMAL_LOAD, OVERLOAD);
    }
}

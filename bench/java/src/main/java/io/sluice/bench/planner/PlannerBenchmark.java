// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import static java.util.Map.entry;

import io.sluice.planner.lp.Objective;
import java.util.List;
import java.util.Map;

/**
 * Measures a row of the planner; run it from the project's folder. Prints one JSON object; points that are stored for
 * this commit are not measured again. System properties: {@code commit}, what is measured; {@code points}, see
 * {@link Points}; {@code graphs}, see {@link Graphs}.
 *
 * <p>Argument: the row, such as S8-gap.
 */
public final class PlannerBenchmark {
    private static final int THOUSAND = 1_000;
    private static final int PAPER = 10_000;
    private static final int LARGE = 100_000;
    private static final double HEAP_GIB = Runtime.getRuntime().maxMemory() / (double) (1 << 30);

    private PlannerBenchmark() {
        // runs, and has no instances
    }

    /** See above. */
    public static void main(final String[] args) {
        final var parts = parts();
        if (args.length != 1 || !parts.containsKey(args[0])) {
            throw new IllegalArgumentException("one of " + parts.keySet());
        }
        // so that the first that is timed finds everything compiled
        Case.solve(new Case(Case.GRAPHS.get(0), THOUSAND, Case.COVERAGES.get(0), 0).instance(), Objective.SCALE);
        System.out.println(parts.get(args[0]).rows().stream().filter(row -> row.id().equals(args[0])).findFirst()
            .orElseThrow().json());
    }

    /** What measures which row. */
    private static Map<String, Part> parts() {
        final var small = new ExactRouting("S8-lp-1k", THOUSAND, 1, 2);
        final var large = new ExactRouting("S8-lp-10k", PAPER, 1);
        final var largest = new LargeRouting(new Case(Case.GRAPHS.getLast(), LARGE, 50, 1));
        final var scale = new ScaleOfSchemes(PAPER);
        final var latency = new LatencyOfSchemes(PAPER);
        final var times = new TimesOfDp(PAPER);
        final var gap = new LargestOf("S8-gap", List.of(small, large), ExactRouting::gaps,
            ExactRouting.parameters(new long[] {1, 2}, THOUSAND, PAPER));
        final var memory = new LargestOf("S8-memory", List.of(small, large, largest, scale, latency, times),
            points -> Part.column(points, Points.RESIDENT), Map.of("largest-heap-gib", HEAP_GIB));
        return Map.ofEntries(entry("S8-lp-1k", small), entry("S8-lp-10k", large), entry("S8-gap", gap),
            entry("S8-lp-100k", largest), entry("S8-dp-p50", times), entry("S8-dp-p99", times),
            entry("S8-dp-alpha", scale), entry("S8-anycast", scale), entry("S8-onehop", scale),
            entry("S8-dplatency", scale), entry("S8-dp-cpu", new ScaleOverCompute(PAPER)),
            entry("S8-dp-load", new LatencyOverLoad(PAPER)), entry("S8-lp-wide", new WideRouting(PAPER)),
            entry("S8-dp-latency", latency), entry("S8-priced-latency", latency),
            entry("S8-memory", memory), entry("S9-capacity", new CapacityGains(THOUSAND)),
            entry("S9-placement", new PlacementGains(THOUSAND)));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

/**
 * Measures the planner on topohub's graphs in {@code bench/data}; run it from the project's folder. Prints one JSON
 * object a line, each with the figure that counts: the worst of all runs, or for the paper's "up to" the best.
 *
 * <p>Arguments: {@code lp} for SB-LP, {@code scale [CHAINS]} and {@code latency [CHAINS]} for what SB-DP and the other
 * schemes make of the two objectives, {@code capacity [CHAINS]} and {@code placement [CHAINS]} for what to add.
 */
public final class PlannerBenchmark {
    private static final int CHAINS = 10_000;
    /** Each point of these sweeps is solved several times over. */
    private static final int CHAINS_IN_SWEEPS = 1_000;

    private PlannerBenchmark() {
        // runs, and has no instances
    }

    /** See above. */
    public static void main(final String[] args) {
        switch (args.length == 0 ? "" : args[0]) {
            case "lp" -> new ExactRouting().run();
            case "scale" -> new ScaleOfSchemes(chains(args, CHAINS)).run();
            case "latency" -> new LatencyOfSchemes(chains(args, CHAINS)).run();
            case "capacity" -> new CapacityGains(chains(args, CHAINS_IN_SWEEPS)).run();
            case "placement" -> new PlacementGains(chains(args, CHAINS_IN_SWEEPS)).run();
            default -> throw new IllegalArgumentException("lp, or scale, latency, capacity, placement [CHAINS]");
        }
    }

    private static int chains(final String[] args, final int otherwise) {
        return args.length > 1 ? Integer.parseInt(args[1]) : otherwise;
    }
}

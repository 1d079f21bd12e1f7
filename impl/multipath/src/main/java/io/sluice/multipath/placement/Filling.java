// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Progressive filling: all flows grow alike until their limit, or a link that they cross, is reached. In time of the
 * paths' total length, but for a logarithm: each link waits in a queue by the level at which it would be full, which
 * only rises as flows are fixed below it.
 */
final class Filling {
    /** No link. */
    static final int NONE = -1;

    private final int[][] flows;
    private final double[] limits;
    private final double[] left;
    private final int[] open;
    private final int[][] users;
    private final double[] rates;
    private final int[] binding;
    private final boolean[] fixed;
    private final PriorityQueue<Level> levels = new PriorityQueue<>();
    private int unfixed;

    private record Level(double level, int link) implements Comparable<Level> {
        @Override
        public int compareTo(final Level other) {
            final int byLevel = Double.compare(level, other.level);
            return byLevel != 0 ? byLevel : Integer.compare(link, other.link);
        }
    }

    /**
     * Fills.
     *
     * @param flows the links that each flow crosses
     * @param limits the most that each flow carries
     * @param available of each link
     */
    Filling(final int[][] flows, final double[] limits, final double[] available) {
        this.flows = flows;
        this.limits = limits;
        left = available.clone();
        open = new int[left.length];
        users = new int[left.length][];
        rates = new double[flows.length];
        binding = new int[flows.length];
        fixed = new boolean[flows.length];
        unfixed = flows.length;
        Arrays.fill(binding, NONE);
        collectUsers();
        fill();
    }

    double rate(final int flow) {
        return rates[flow];
    }

    /** The link that limits a flow, or {@link #NONE}. */
    int binding(final int flow) {
        return binding[flow];
    }

    private void collectUsers() {
        for (int[] links : flows) {
            for (int link : links) {
                open[link]++;
            }
        }
        final int[] filled = new int[open.length];
        for (int flow = 0; flow < flows.length; flow++) {
            for (int link : flows[flow]) {
                if (users[link] == null) {
                    users[link] = new int[open[link]];
                    levels.add(new Level(left[link] / open[link], link));
                }
                users[link][filled[link]++] = flow;
            }
        }
    }

    private void fill() {
        final int[] byLimit = IntStream.range(0, limits.length).boxed()
            .sorted((one, other) -> Double.compare(limits[one], limits[other])).mapToInt(Integer::intValue).toArray();
        int next = 0;
        while (unfixed > 0) {
            final int tightest = tightest();
            final double level = tightest == NONE ? Double.POSITIVE_INFINITY : left[tightest] / open[tightest];
            final int before = unfixed;
            while (next < byLimit.length && limits[byLimit[next]] <= level) {
                fix(byLimit[next], limits[byLimit[next]], NONE);
                next++;
            }
            if (unfixed == before && tightest != NONE) {
                for (int flow : users[tightest]) {
                    fix(flow, level, tightest);
                }
            }
        }
    }

    private int tightest() {
        while (!levels.isEmpty()) {
            final var top = levels.peek();
            final double now = open[top.link] == 0 ? Double.NaN : left[top.link] / open[top.link];
            if (Double.compare(now, top.level) == 0) {
                return top.link;
            }
            levels.remove();
            if (open[top.link] > 0) {
                levels.add(new Level(now, top.link));
            }
        }
        return NONE;
    }

    private void fix(final int flow, final double rate, final int link) {
        if (!fixed[flow]) {
            fixed[flow] = true;
            unfixed--;
            rates[flow] = rate;
            binding[flow] = link;
            for (int crossed : flows[flow]) {
                left[crossed] = Math.max(0, left[crossed] - rate);
                open[crossed]--;
            }
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.Arrays;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Progressive filling: all flows grow alike until their limit, or a link that they cross, is reached. Flows of one
 * channel are alike. In time of the channels' total length, but for a logarithm: each link waits in a queue by the
 * level at which it would be full, which only rises as flows are fixed below it.
 */
final class Filling {
    private static final int NONE = -1;

    private final int[][] channels;
    private final int[] flows;
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
     * @param channels the links that the flows of each channel cross
     * @param flows how many flows each channel has
     * @param limits the most that each flow of a channel carries
     * @param available of each link
     */
    Filling(final int[][] channels, final int[] flows, final double[] limits, final double[] available) {
        this.channels = channels;
        this.flows = flows;
        this.limits = limits;
        left = available.clone();
        open = new int[left.length];
        users = new int[left.length][];
        rates = new double[channels.length];
        binding = new int[channels.length];
        fixed = new boolean[channels.length];
        unfixed = channels.length;
        Arrays.fill(binding, NONE);
        collectUsers();
        fill();
    }

    /** What each flow of a channel gets. */
    double rate(final int channel) {
        return rates[channel];
    }

    /** What all flows get. */
    SortedRates sorted() {
        return SortedRates.of(rates, flows);
    }

    /** The link that limits the flows of a channel, if one does. */
    OptionalInt binding(final int channel) {
        return binding[channel] == NONE ? OptionalInt.empty() : OptionalInt.of(binding[channel]);
    }

    private void collectUsers() {
        final int[] crossing = new int[open.length];
        for (int channel = 0; channel < channels.length; channel++) {
            for (int link : channels[channel]) {
                open[link] += flows[channel];
                crossing[link]++;
            }
        }
        for (int link = 0; link < users.length; link++) {
            users[link] = new int[crossing[link]];
            levels.add(new Level(left[link] / open[link], link));
        }
        for (int channel = 0; channel < channels.length; channel++) {
            for (int link : channels[channel]) {
                users[link][--crossing[link]] = channel;
            }
        }
    }

    private void fill() {
        final int[] byLimit = IntStream.range(0, limits.length).filter(channel -> Double.isFinite(limits[channel])
            || channels[channel].length == 0).boxed().sorted(Comparator.comparingDouble(channel -> limits[channel]))
            .mapToInt(Integer::intValue).toArray();
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
                for (int channel : users[tightest]) {
                    fix(channel, level, tightest);
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

    private void fix(final int channel, final double rate, final int link) {
        if (!fixed[channel]) {
            fixed[channel] = true;
            unfixed--;
            rates[channel] = rate;
            binding[channel] = link;
            for (int crossed : channels[channel]) {
                left[crossed] = Math.max(0, left[crossed] - flows[channel] * rate);
                open[crossed] -= flows[channel];
            }
        }
    }
}

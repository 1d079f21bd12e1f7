// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.Arrays;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Progressive filling: all flows grow alike until their limit, or a link that they cross, is reached. Flows of one
 * channel are alike; how many each has may differ from one filling to the next. In time of the channels' total length,
 * but for a logarithm: each link waits in a queue by the level at which it would be full, which only rises as flows are
 * fixed below it.
 */
final class Filling {
    private static final int NONE = -1;

    private final int[][] channels;
    private final double[] limits;
    private final double[] available;
    /** The channels that cross each link. */
    private final int[][] users;
    /** The channels that may end below their links' level. */
    private final int[] byLimit;

    /**
     * Prepares.
     *
     * @param channels the links that the flows of each channel cross
     * @param limits the most that each flow of a channel carries
     * @param available of each link
     */
    Filling(final int[][] channels, final double[] limits, final double[] available) {
        this.channels = channels;
        this.limits = limits;
        this.available = available;
        users = users();
        byLimit = IntStream.range(0, limits.length).filter(channel -> Double.isFinite(limits[channel])
            || channels[channel].length == 0).boxed().sorted(Comparator.comparingDouble(channel -> limits[channel]))
            .mapToInt(Integer::intValue).toArray();
    }

    /**
     * Fills.
     *
     * @param flows how many flows each channel has
     */
    Filled fill(final int[] flows) {
        return new Filled(flows);
    }

    private int[][] users() {
        final int[] crossing = new int[available.length];
        for (int[] links : channels) {
            for (int link : links) {
                crossing[link]++;
            }
        }
        final int[][] collected = new int[available.length][];
        Arrays.setAll(collected, link -> new int[crossing[link]]);
        for (int channel = 0; channel < channels.length; channel++) {
            for (int link : channels[channel]) {
                collected[link][--crossing[link]] = channel;
            }
        }
        return collected;
    }

    /** What so many flows get. */
    final class Filled {
        private final int[] flows;
        private final double[] left = available.clone();
        private final int[] open = new int[available.length];
        private final double[] rates = new double[channels.length];
        private final int[] binding = new int[channels.length];
        private final boolean[] fixed = new boolean[channels.length];
        private final SortedRates sorted = new SortedRates(channels.length);
        private int unfixed = channels.length;

        private Filled(final int[] flows) {
            this.flows = flows;
            Arrays.fill(binding, NONE);
            for (int channel = 0; channel < channels.length; channel++) {
                if (flows[channel] == 0) {
                    fixed[channel] = true;
                    unfixed--;
                }
                for (int link : channels[channel]) {
                    open[link] += flows[channel];
                }
            }
            rise();
        }

        /** What each flow of a channel gets. */
        double rate(final int channel) {
            return rates[channel];
        }

        /** What all flows get. */
        SortedRates sorted() {
            return sorted;
        }

        /** The link that limits the flows of a channel, if one does. */
        OptionalInt binding(final int channel) {
            return binding[channel] == NONE ? OptionalInt.empty() : OptionalInt.of(binding[channel]);
        }

        private void rise() {
            final double[] levels = new double[left.length];
            Arrays.setAll(levels, this::level);
            final var queue = new LevelQueue(levels);
            double level = 0;
            int next = 0;
            while (unfixed > 0) {
                final int tightest = tightest(queue);
                // A rounding must not make the water fall
                level = tightest == NONE ? Double.POSITIVE_INFINITY : Math.max(level, level(tightest));
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

        /** Where a link is full if no more flows are fixed below. */
        private double level(final int link) {
            return open[link] == 0 ? Double.POSITIVE_INFINITY : left[link] / open[link];
        }

        private int tightest(final LevelQueue queue) {
            while (!queue.isEmpty()) {
                final double now = level(queue.first());
                if (Double.compare(now, queue.level()) == 0) {
                    return queue.first();
                }
                queue.raise(now);
            }
            return NONE;
        }

        private void fix(final int channel, final double rate, final int link) {
            if (!fixed[channel]) {
                fixed[channel] = true;
                unfixed--;
                rates[channel] = rate;
                binding[channel] = link;
                sorted.add(rate, flows[channel]);
                for (int crossed : channels[channel]) {
                    left[crossed] = Math.max(0, left[crossed] - flows[channel] * rate);
                    open[crossed] -= flows[channel];
                }
            }
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bandwidth;

import io.sluice.bandwidth.Flow;
import io.sluice.bandwidth.Round;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What no rates can exceed: the geometric mean, over applications, of their progress up to 1, the whole demand.
 *
 * <p>Let application a need the part b(a, l) of link l for all of its demand, and of a link of its own, all. Its
 * progress p(a) then obeys sum over a of b(a, l) p(a) <= 1 on each link, and the mean of log p(a) is to be largest.
 * Prices w(l) that sum to 1 make q(a) = sum over l of w(l) b(a, l) the cost of a's demand, and what all have costs at
 * most 1: so the geometric mean of the n products p(a) q(a) is at most 1 / n, and that of progress at most 1 / n over
 * that of costs. Every choice of prices proves a bound; they are moved towards the best, where full links alone have a
 * price.
 */
final class ProgressBound {
    private static final int STEPS = 1500;

    private ProgressBound() {
        // a function alone
    }

    /** The bound for one tenant's applications, whose flows have one path and a report each. */
    static double of(final Round round) {
        final double[][] parts = parts(round);
        final var prices = new double[parts[0].length];
        Arrays.fill(prices, 1.0 / prices.length);
        double least = Double.POSITIVE_INFINITY;
        for (int step = 0; step < STEPS; step++) {
            final var used = new double[prices.length];
            double logCosts = 0;
            for (final double[] part : parts) {
                final double cost = cost(part, prices);
                logCosts += Math.log(cost);
                for (int link = 0; link < prices.length; link++) {
                    used[link] += part[link] / cost / parts.length;
                }
            }
            least = Math.min(least, Math.exp(-logCosts / parts.length) / parts.length);
            for (int link = 0; link < prices.length; link++) {
                prices[link] *= used[link];
            }
        }
        return least;
    }

    private static double cost(final double[] part, final double[] prices) {
        double cost = 0;
        for (int link = 0; link < prices.length; link++) {
            cost += prices[link] * part[link];
        }
        return cost;
    }

    /** Of each application, the part of each link that it needs, and behind the links its own one. */
    private static double[][] parts(final Round round) {
        final var numbers = new HashMap<String, Integer>();
        round.links().forEach(link -> numbers.put(link.name(), numbers.size()));
        final var applications = round.tenants().getFirst().applications();
        final var parts = new double[applications.size()][numbers.size() + applications.size()];
        for (int application = 0; application < parts.length; application++) {
            for (final var flow : applications.get(application).flows()) {
                add(round, flow, numbers, parts[application]);
            }
            parts[application][numbers.size() + application] = 1;
        }
        return parts;
    }

    private static void add(final Round round, final Flow flow, final Map<String, Integer> numbers,
            final double[] part) {
        final double bitsPerSecond = flow.report().orElseThrow().toSend() * 8e6 / round.intervalUs();
        for (final var name : flow.paths().getFirst().links()) {
            final int link = numbers.get(name);
            part[link] += bitsPerSecond / round.links().get(link).available().bitsPerSecond();
        }
    }
}

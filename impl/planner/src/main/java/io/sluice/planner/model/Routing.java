// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How a network routes from one node to another, where that is not by shortest paths, and how long it takes where that
 * was measured (r and d of table 1, as given).
 *
 * @param from node that sends
 * @param to node that receives
 * @param ppmOfLink share of the traffic that crosses each link, by the link's number; 1..1,000,000; none if the way is
 *     by shortest paths
 * @param delayUs mean time in microseconds while all links of the way are up, 0 or more; empty if it is that of the
 *     links
 */
public record Routing(int from, int to, Map<Integer, Integer> ppmOfLink, OptionalLong delayUs) {
    private static final int MILLION = 1_000_000;

    public Routing {
        ppmOfLink = Map.copyOf(ppmOfLink);
        if (from == to) {
            throw new IllegalArgumentException("a routing from node " + from + " to itself");
        }
        if (ppmOfLink.isEmpty() && delayUs.isEmpty()) {
            throw new IllegalArgumentException("a routing has links or a delay");
        }
        if (delayUs.orElse(0) < 0) {
            throw new IllegalArgumentException("delay of " + delayUs.getAsLong() + " us");
        }
        for (final int ppm : ppmOfLink.values()) {
            if (ppm < 1 || ppm > MILLION) {
                throw new IllegalArgumentException("a share of " + ppm + " ppm");
            }
        }
    }

    /** A way whose delay is that of its links. */
    public Routing(final int from, final int to, final Map<Integer, Integer> ppmOfLink) {
        this(from, to, ppmOfLink, OptionalLong.empty());
    }

    /** Whether it says over which links. */
    public boolean isWay() {
        return !ppmOfLink.isEmpty();
    }

    /** Fractions of the traffic on links of these numbers. */
    public double[] fractions(final int links) {
        final var fractions = new double[links];
        ppmOfLink.forEach((link, ppm) -> fractions[link] = (double) ppm / MILLION);
        return fractions;
    }

    /** Checks that all arrives, and nothing else, but for rounding to ppm. */
    void check(final List<String> nodes, final List<Link> links) {
        if (!isWay()) {
            return;
        }
        final var left = new long[nodes.size()];
        left[from] += MILLION;
        left[to] -= MILLION;
        ppmOfLink.forEach((link, ppm) -> {
            if (link < 0 || link >= links.size()) {
                throw new IllegalArgumentException("link " + link + " of " + links.size());
            }
            left[links.get(link).from()] -= ppm;
            left[links.get(link).to()] += ppm;
        });
        for (int node = 0; node < left.length; node++) {
            if (Math.abs(left[node]) > ppmOfLink.size()) {
                throw new IllegalArgumentException("routing from " + nodes.get(from) + " to " + nodes.get(to) + ": "
                    + Math.abs(left[node]) + " ppm "
                    + (left[node] > 0 ? "end" : "are missing") + " at " + nodes.get(node));
            }
        }
    }
}

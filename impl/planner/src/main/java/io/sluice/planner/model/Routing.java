// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import java.util.List;
import java.util.Map;

/**
 * How a network routes from one node to another, where that is not by shortest paths (r of table 1, as given).
 *
 * @param from node that sends
 * @param to node that receives
 * @param ppmOfLink share of the traffic that crosses each link, by the link's number; 1..1,000,000
 */
public record Routing(int from, int to, Map<Integer, Integer> ppmOfLink) {
    private static final int MILLION = 1_000_000;

    public Routing {
        ppmOfLink = Map.copyOf(ppmOfLink);
        if (from == to) {
            throw new IllegalArgumentException("a routing from node " + from + " to itself");
        }
        for (final int ppm : ppmOfLink.values()) {
            if (ppm < 1 || ppm > MILLION) {
                throw new IllegalArgumentException("a share of " + ppm + " ppm");
            }
        }
    }

    /** Fractions of the traffic on links of these numbers. */
    public double[] fractions(final int links) {
        final var fractions = new double[links];
        ppmOfLink.forEach((link, ppm) -> fractions[link] = (double) ppm / MILLION);
        return fractions;
    }

    /** Checks that all arrives, and nothing else, but for rounding to ppm. */
    void check(final List<String> nodes, final List<Link> links) {
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

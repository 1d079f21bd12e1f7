// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import io.sluice.api.Bandwidth;

/**
 * One direction of a link between two nodes (link e of table 1).
 *
 * @param name what it is called; empty if only by its ends
 * @param from node that sends
 * @param to node that receives
 * @param bandwidth the rate that the link can carry, b_e; 0 while it is down: routing takes any other way then
 * @param background what others send over it already, g_e
 * @param utilisationLimitPpm largest share of the bandwidth that may be used, background included, 1..1,000,000; the
 *     limit beta, which may differ from link to link
 * @param delayUs propagation delay in microseconds, 0 or more
 * @param weight cost to the routing protocol of the network, 1..1,000,000,000
 */
public record Link(String name, int from, int to, Bandwidth bandwidth, Bandwidth background, int utilisationLimitPpm,
        long delayUs, long weight) {
    /** The largest weight. */
    public static final long MAX_WEIGHT = 1_000_000_000;

    private static final int MILLION = 1_000_000;
    /** More than any path of less than a thousand links. */
    private static final long DOWN = 1_000 * MAX_WEIGHT;

    public Link {
        if (from == to) {
            throw new IllegalArgumentException("a link from a node to itself");
        }
        if (utilisationLimitPpm < 1 || utilisationLimitPpm > MILLION) {
            throw new IllegalArgumentException("utilisation limit of " + utilisationLimitPpm + " ppm");
        }
        if (delayUs < 0) {
            throw new IllegalArgumentException("delay of " + delayUs + " us");
        }
        if (weight < 1 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException("weight " + weight + " is not in 1.." + MAX_WEIGHT);
        }
    }

    /** A link that has no name of its own. */
    public Link(final int from, final int to, final Bandwidth bandwidth, final Bandwidth background,
            final int utilisationLimitPpm, final long delayUs, final long weight) {
        this("", from, to, bandwidth, background, utilisationLimitPpm, delayUs, weight);
    }

    /** What chains may use: beta b_e - g_e, or nothing if the background takes more. */
    public Bandwidth room() {
        final long bps = bandwidth.bitsPerSecond();
        return new Bandwidth(bps / MILLION * utilisationLimitPpm + bps % MILLION * utilisationLimitPpm / MILLION)
            .minusOrZero(background);
    }

    /** The same link while it is down. */
    public Link down() {
        return new Link(name, from, to, Bandwidth.ZERO, Bandwidth.ZERO, utilisationLimitPpm, delayUs, weight);
    }

    /** What the link costs to the routing protocol now: its weight, or if it is down more than any way around it. */
    long routingCost() {
        return isDown() ? DOWN : weight;
    }

    /** Whether it carries nothing, so that routing takes other ways. */
    public boolean isDown() {
        return bandwidth.bitsPerSecond() == 0;
    }

    /** The same link with other traffic in the background. */
    public Link withBackground(final Bandwidth other) {
        return new Link(name, from, to, bandwidth, other, utilisationLimitPpm, delayUs, weight);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The routes of one chain and the fraction of its traffic on each: the path form of the x of the paper, which conserves
 * flow by construction. The route {@link #NOWHERE} stands for traffic that is not carried.
 */
public final class Split {
    /** No layer at all; takes nothing of any row. */
    public static final int[] NOWHERE = {};

    private static final long MILLION = 1_000_000;

    private int[][] routes = new int[2][];
    private double[] fractions = new double[2];
    private int size;

    /** The same again; what becomes of one is nothing to the other. */
    public Split copy() {
        final var copy = new Split();
        copy.routes = routes.clone();
        copy.fractions = fractions.clone();
        copy.size = size;
        return copy;
    }

    /** The routes that carry something, without {@link #NOWHERE}. */
    public Split routed() {
        final var routed = copy();
        for (int index = 0; index < size; index++) {
            routed.fractions[index] = isNowhere(index) ? 0 : fractions[index];
        }
        routed.prune();
        return routed;
    }

    /** What both carry together. */
    public Split plus(final Split other) {
        final var sum = copy();
        for (int index = 0; index < other.size; index++) {
            final int same = sum.indexOf(other.routes[index], other.routes[index].length);
            sum.fractions[same] += other.fractions[index];
        }
        return sum;
    }

    public int size() {
        return size;
    }

    /** A copy of the route at {@code index}. */
    public int[] routeCopy(final int index) {
        return routes[index].clone();
    }

    public double fraction(final int index) {
        return fractions[index];
    }

    public void setFraction(final int index, final double fraction) {
        fractions[index] = fraction;
    }

    /** Index of a route that equals the first {@code layers} elements of {@code route}; added if it is new. */
    public int indexOf(final int[] route, final int layers) {
        for (int index = 0; index < size; index++) {
            if (Arrays.equals(routes[index], 0, routes[index].length, route, 0, layers)) {
                return index;
            }
        }
        if (size == fractions.length) {
            routes = Arrays.copyOf(routes, size * 2);
            fractions = Arrays.copyOf(fractions, size * 2);
        }
        routes[size] = Arrays.copyOf(route, layers);
        fractions[size] = 0;
        return size++;
    }

    /** Whether another one carries the same on the same routes. */
    public boolean isLike(final Split other) {
        return size == other.size && Arrays.equals(fractions, 0, size, other.fractions, 0, size)
            && IntStream.range(0, size).allMatch(index -> Arrays.equals(routes[index], other.routes[index]));
    }

    /** Drops the routes that carry nothing. */
    public void prune() {
        int kept = 0;
        for (int index = 0; index < size; index++) {
            if (fractions[index] > 0) {
                routes[kept] = routes[index];
                fractions[kept++] = fractions[index];
            }
        }
        Arrays.fill(routes, kept, size, null);
        size = kept;
    }

    /** Index of the route that carries most; -1 if there is no route. */
    public int dominant() {
        int best = size - 1;
        for (int index = 0; index < size; index++) {
            best = fractions[index] > fractions[best] ? index : best;
        }
        return best;
    }

    /** Fraction of the chain's traffic that is carried. */
    public double carried() {
        double sum = 0;
        for (int index = 0; index < size; index++) {
            sum += isNowhere(index) ? 0 : fractions[index];
        }
        return sum;
    }

    /** Whether the route at {@code index} is {@link #NOWHERE}. */
    public boolean isNowhere(final int index) {
        return routes[index].length == 0;
    }

    /** Fractions in ppm, by largest remainder, so that they add up to the rounded sum of all. */
    public long[] ppm() {
        final var ppm = new long[size];
        double sum = 0;
        long rest = 0;
        for (int index = 0; index < size; index++) {
            ppm[index] = (long) Math.floor(fractions[index] * MILLION);
            sum += fractions[index];
            rest -= ppm[index];
        }
        rest += Math.round(sum * MILLION);
        final var byRemainder = IntStream.range(0, size).boxed()
            .sorted(Comparator.comparingDouble(index -> ppm[index] - fractions[index] * MILLION)).toList();
        for (int i = 0; i < rest && i < size; i++) {
            ppm[byRemainder.get(i)]++;
        }
        return ppm;
    }

    /** Whether a route of this carries something over a deployment or end. */
    public boolean uses(final int layer, final int position) {
        for (int index = 0; index < size; index++) {
            if (!isNowhere(index) && routes[index][layer] == position) {
                return true;
            }
        }
        return false;
    }

    /** Whether no route of this goes through anything that is closed or out of reach, be it without taking of it. */
    public boolean isOpen(final Instance instance, final LayeredChain chain) {
        return IntStream.range(0, size).allMatch(index -> isNowhere(index) || chain.isOpen(instance, routes[index]));
    }

    /** Adds what {@code fraction} of the chain takes on the route at {@code index}. */
    public void addTo(final Shares shares, final LayeredChain chain, final int index, final double fraction) {
        if (!isNowhere(index)) {
            shares.add(chain, routes[index], fraction);
        }
    }

    /** Adds what the chain takes on all its routes. */
    public void addTo(final Shares shares, final LayeredChain chain) {
        for (int index = 0; index < size; index++) {
            addTo(shares, chain, index, fractions[index]);
        }
    }

    /** What the whole chain costs on the route at {@code index}, which must not be {@link #NOWHERE}. */
    public double cost(final Prices prices, final LayeredChain chain, final int index) {
        return prices.cost(chain, routes[index]);
    }

    /** The product of traffic and delay of the whole chain on the route at {@code index}; nothing for NOWHERE. */
    public double latency(final Underlay underlay, final LayeredChain chain, final int index) {
        return isNowhere(index) ? 0 : chain.latency(underlay, routes[index]);
    }

    /** The product of traffic and delay of what the chain carries on all its routes. */
    public double latency(final Underlay underlay, final LayeredChain chain) {
        double sum = 0;
        for (int index = 0; index < size; index++) {
            sum += fractions[index] * latency(underlay, chain, index);
        }
        return sum;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Weighted max-min fair rates of flows over fixed paths, by progressive filling (Bertsekas, Gallager: Data Networks,
 * 1992, section 6.5.2): a water level rises, each flow has its weight times the level, and a flow stops when it meets
 * its limit or when an arc of its path is full. No flow could have more without taking from one that has, in proportion
 * to weight, no more than itself.
 *
 * <p>The level is an exact fraction. A rate is the exact fair rate rounded down, so that arcs are never overfull; up to
 * 1 bit/s a flow is left over.
 */
public final class MaxMin {
    private final List<Flow> flows;
    private final List<Arc> arcs = new ArrayList<>();
    private final Share[] shares;
    /** Arcs by the level that would fill them, which never falls; an entry may be too low, never too high. */
    private final PriorityQueue<Filling> fillings =
        new PriorityQueue<>(Comparator.comparing(Filling::level).thenComparing(Filling::arc));

    /**
     * A flow that wants a rate.
     *
     * @param arcs its path; an arc that stands there twice carries the flow twice
     * @param weight share of the flow in relation to others, at least 1
     * @param limit rate above which the flow has no use, in bit/s; needed if {@code arcs} is empty
     */
    public record Flow(List<Integer> arcs, long weight, OptionalLong limit) {
        public Flow {
            arcs = List.copyOf(arcs);
            if (weight < 1) {
                throw new IllegalArgumentException("weight " + weight + " is below 1");
            }
            if (limit.isPresent() && limit.getAsLong() < 0) {
                throw new IllegalArgumentException("negative limit: " + limit.getAsLong() + " bit/s");
            }
            if (limit.isEmpty() && arcs.isEmpty()) {
                throw new IllegalArgumentException("a flow over no arc needs a limit");
            }
        }

        /** A flow of weight 1 without limit. */
        public Flow(final List<Integer> arcs) {
            this(arcs, 1, OptionalLong.empty());
        }
    }

    /**
     * What a flow gets.
     *
     * @param rate in bit/s
     * @param bindingArc the full arc that stops the flow; empty if its own limit does
     */
    public record Share(long rate, OptionalInt bindingArc) { }

    private MaxMin(final long[] capacities, final List<Flow> flows) {
        this.flows = flows;
        shares = new Share[flows.size()];
        for (int arc = 0; arc < capacities.length; arc++) {
            if (capacities[arc] < 0) {
                throw new IllegalArgumentException("negative capacity of arc " + arc + ": " + capacities[arc]);
            }
            arcs.add(new Arc(capacities[arc]));
        }
    }

    /**
     * Returns a share for each of {@code flows}, in their order.
     *
     * @param capacities of the arcs, in bit/s, by arc id
     */
    public static List<Share> fill(final long[] capacities, final List<Flow> flows) {
        return new MaxMin(capacities, List.copyOf(flows)).fill();
    }

    private List<Share> fill() {
        for (int flow = 0; flow < flows.size(); flow++) {
            for (final int arc : flows.get(flow).arcs()) {
                arcs.get(arc).enter(flow, flows.get(flow).weight());
            }
        }
        IntStream.range(0, arcs.size()).forEach(this::queue);
        for (final int flow : byLimitLevel()) {
            if (shares[flow] == null) {
                final var level = limitLevel(flow);
                fillUpTo(level);
                if (shares[flow] == null) {
                    stop(flow, level, OptionalInt.empty());
                }
            }
        }
        fillUpTo(null);
        return List.of(shares);
    }

    /** Fills arcs in the order in which they get full, those at {@code end} included; all arcs if it is null. */
    private void fillUpTo(final Fraction end) {
        while (!fillings.isEmpty() && (end == null || fillings.peek().level().compareTo(end) <= 0)) {
            final var filling = fillings.poll();
            final var arc = arcs.get(filling.arc());
            if (arc.weight == 0) {
                continue;
            }
            if (arc.fullLevel().compareTo(filling.level()) > 0) {
                queue(filling.arc());
                continue;
            }
            for (final int flow : arc.flows.toArray()) {
                if (shares[flow] == null) {
                    stop(flow, filling.level(), OptionalInt.of(filling.arc()));
                }
            }
        }
    }

    private void queue(final int arc) {
        if (arcs.get(arc).weight > 0) {
            fillings.add(new Filling(arcs.get(arc).fullLevel(), arc));
        }
    }

    private void stop(final int flow, final Fraction level, final OptionalInt bindingArc) {
        final long weight = flows.get(flow).weight();
        final var rate = level.times(weight);
        shares[flow] = new Share(rate.floor(), bindingArc);
        for (final int arc : flows.get(flow).arcs()) {
            arcs.get(arc).leave(weight, rate);
        }
    }

    private int[] byLimitLevel() {
        return IntStream.range(0, flows.size()).filter(flow -> flows.get(flow).limit().isPresent()).boxed()
            .sorted(Comparator.comparing(this::limitLevel)).mapToInt(Integer::intValue).toArray();
    }

    private Fraction limitLevel(final int flow) {
        return Fraction.of(flows.get(flow).limit().getAsLong(), flows.get(flow).weight());
    }

    /** An arc gets full when the level reaches {@code level}, or later. */
    private record Filling(Fraction level, int arc) { }

    /** Room and rising flows of an arc. */
    private static final class Arc {
        private Fraction room;
        /** Sum of the weights of the flows that still rise. */
        private long weight;
        private final IntStack flows = new IntStack();

        Arc(final long capacity) {
            room = Fraction.of(capacity, 1);
        }

        void enter(final int flow, final long flowWeight) {
            weight = Math.addExact(weight, flowWeight);
            flows.push(flow);
        }

        void leave(final long flowWeight, final Fraction rate) {
            weight -= flowWeight;
            room = room.minus(rate);
        }

        Fraction fullLevel() {
            return room.dividedBy(weight);
        }
    }

    /** A rational number in lowest terms with a positive denominator. */
    private record Fraction(BigInteger numerator, BigInteger denominator) implements Comparable<Fraction> {
        static Fraction of(final long numerator, final long denominator) {
            return reduced(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
        }

        private static Fraction reduced(final BigInteger numerator, final BigInteger denominator) {
            final var divisor = numerator.gcd(denominator);
            return new Fraction(numerator.divide(divisor), denominator.divide(divisor));
        }

        Fraction times(final long factor) {
            return reduced(numerator.multiply(BigInteger.valueOf(factor)), denominator);
        }

        Fraction dividedBy(final long divisor) {
            return reduced(numerator, denominator.multiply(BigInteger.valueOf(divisor)));
        }

        Fraction minus(final Fraction other) {
            return reduced(
                numerator.multiply(other.denominator).subtract(other.numerator.multiply(denominator)),
                denominator.multiply(other.denominator));
        }

        long floor() {
            return numerator.divide(denominator).longValueExact();
        }

        @Override
        public int compareTo(final Fraction other) {
            return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
        }
    }
}

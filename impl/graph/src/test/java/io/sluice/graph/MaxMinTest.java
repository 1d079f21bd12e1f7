// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.graph.MaxMin.Flow;
import io.sluice.graph.MaxMin.Share;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MaxMinTest {
    private static final int INSTANCES = 3000;

    private static Share share(final long rate, final int arc) {
        return new Share(rate, OptionalInt.of(arc));
    }

    @Test
    void theLongFlowYieldsToItsTightestArc() {
        final var shares = MaxMin.fill(new long[] {10, 4},
            List.of(new Flow(List.of(0, 1)), new Flow(List.of(0)), new Flow(List.of(1))));

        assertEquals(List.of(share(2, 1), share(8, 0), share(2, 1)), shares);
    }

    @Test
    void weightsDivideAndLimitsLeaveTheRestToOthers() {
        final var shares = MaxMin.fill(new long[] {100}, List.of(
            new Flow(List.of(0), 1, OptionalLong.empty()),
            new Flow(List.of(0), 3, OptionalLong.empty()),
            new Flow(List.of(0), 5, OptionalLong.of(20))));

        assertEquals(List.of(share(20, 0), share(60, 0), new Share(20, OptionalInt.empty())), shares);
    }

    @Test
    void aFlowOverNoArcGetsItsLimitAndAFullArcNothing() {
        final var shares = MaxMin.fill(new long[] {0}, List.of(
            new Flow(List.of(), 1, OptionalLong.of(7)), new Flow(List.of(0))));

        assertEquals(List.of(new Share(7, OptionalInt.empty()), share(0, 0)), shares);
    }

    @Test
    void theLargestNumbersDoNotRunOver() {
        final long max = Long.MAX_VALUE;
        final var shares = MaxMin.fill(new long[] {max, max}, List.of(
            new Flow(List.of(0, 1), max / 2, OptionalLong.of(max)), new Flow(List.of(1), max / 2, OptionalLong.empty()),
            new Flow(List.of(0), 1, OptionalLong.empty())));

        assertEquals(List.of(share(max / 2, 1), share(max / 2, 1), share(max / 2, 0)), shares);
        assertThrows(ArithmeticException.class, () -> MaxMin.fill(new long[] {1}, List.of(
            new Flow(List.of(0), max, OptionalLong.empty()), new Flow(List.of(0)))));
    }

    @Test
    void randomInstancesAgreeWithTheReferenceAndAreOptimal() {
        for (int seed = 0; seed < INSTANCES; seed++) {
            final var random = new Random(seed);
            final var capacities = random.longs(random.nextInt(1, 9), 0, seed % 2 == 0 ? 20 : 100_000_000_000L)
                .toArray();
            final var flows = flows(random, capacities.length, seed % 2 == 0 ? 10 : 50_000_000_000L);
            final var shares = MaxMin.fill(capacities, flows);

            assertEquals(reference(capacities, flows), shares.stream().map(Share::rate).toList(), "seed " + seed);
            checkFeasible("seed " + seed, capacities, flows, shares);
            checkBottlenecks("seed " + seed, capacities, flows, shares);
        }
    }

    private static List<Flow> flows(final Random random, final int arcs, final long maxLimit) {
        final var flows = new ArrayList<Flow>();
        for (int count = random.nextInt(1, 13); count > 0; count--) {
            final var path = random.ints(random.nextInt(4), 0, arcs).boxed().toList();
            final boolean limited = path.isEmpty() || random.nextInt(3) == 0;
            flows.add(new Flow(path, random.nextInt(4) == 0 ? random.nextInt(1, 9) : 1,
                limited ? OptionalLong.of(random.nextLong(maxLimit)) : OptionalLong.empty()));
        }
        return flows;
    }

    private static void checkFeasible(final String where, final long[] capacities, final List<Flow> flows,
            final List<Share> shares) {
        for (int flow = 0; flow < flows.size(); flow++) {
            assertTrue(shares.get(flow).rate() <= flows.get(flow).limit().orElse(Long.MAX_VALUE), where);
        }
        for (int arc = 0; arc < capacities.length; arc++) {
            assertTrue(load(arc, flows, shares) <= capacities[arc], where);
        }
    }

    /**
     * Each flow is at its limit, or its binding arc is full, but for less than 1 bit/s for each time a flow crosses it,
     * and no flow there has more for its weight.
     */
    private static void checkBottlenecks(final String where, final long[] capacities, final List<Flow> flows,
            final List<Share> shares) {
        for (int i = 0; i < flows.size(); i++) {
            final var flow = flows.get(i);
            final long rate = shares.get(i).rate();
            final var binding = shares.get(i).bindingArc();
            if (binding.isEmpty()) {
                assertEquals(flow.limit().orElseThrow(), rate, where);
                continue;
            }
            final int arc = binding.getAsInt();
            assertTrue(flow.arcs().contains(arc), where);
            final long crossings = flows.stream().mapToLong(other -> crossings(other, arc)).sum();
            assertTrue(capacities[arc] - load(arc, flows, shares) < crossings, where);
            for (int j = 0; j < flows.size(); j++) {
                if (crossings(flows.get(j), arc) > 0) {
                    assertTrue(shares.get(j).rate() * flow.weight() < (rate + 1) * flows.get(j).weight(), where);
                }
            }
        }
    }

    private static long crossings(final Flow flow, final int arc) {
        return flow.arcs().stream().filter(crossed -> crossed == arc).count();
    }

    private static long load(final int arc, final List<Flow> flows, final List<Share> shares) {
        long load = 0;
        for (int flow = 0; flow < flows.size(); flow++) {
            load += crossings(flows.get(flow), arc) * shares.get(flow).rate();
        }
        return load;
    }

    /**
     * Raises all flows that still can by the same level, step by step, each step as far as the next arc or limit lets
     * them. It counts in 2^-400 bit/s; a gap below 2^-300 is an error of rounding, and so is one below 2^-200 to the
     * next whole number.
     */
    private static List<Long> reference(final long[] capacities, final List<Flow> flows) {
        final var unit = BigInteger.TWO.pow(400);
        final var rates = new BigInteger[flows.size()];
        Arrays.fill(rates, BigInteger.ZERO);
        final var rising = new ArrayList<Integer>();
        for (int flow = 0; flow < rates.length; flow++) {
            rising.add(flow);
        }
        while (!rising.isEmpty()) {
            BigInteger step = null;
            for (final int flow : rising) {
                final var weight = BigInteger.valueOf(flows.get(flow).weight());
                if (flows.get(flow).limit().isPresent()) {
                    step = min(step, room(flows.get(flow).limit().getAsLong(), unit, rates[flow]).divide(weight));
                }
            }
            for (int arc = 0; arc < capacities.length; arc++) {
                final var weight = weight(arc, flows, rising);
                if (weight.signum() > 0) {
                    step = min(step, room(capacities[arc], unit, used(arc, flows, rates)).divide(weight));
                }
            }
            for (final int flow : rising) {
                rates[flow] = rates[flow].add(step.multiply(BigInteger.valueOf(flows.get(flow).weight())));
            }
            rising.removeIf(flow -> isStopped(flow, capacities, flows, rates, unit));
        }
        return Arrays.stream(rates).map(rate -> rate.add(unit.shiftRight(200)).divide(unit).longValueExact()).toList();
    }

    private static boolean isStopped(final int flow, final long[] capacities, final List<Flow> flows,
            final BigInteger[] rates, final BigInteger unit) {
        final var nothing = unit.shiftRight(300);
        return flows.get(flow).limit().isPresent()
                && room(flows.get(flow).limit().getAsLong(), unit, rates[flow]).compareTo(nothing) < 0
            || flows.get(flow).arcs().stream()
                .anyMatch(arc -> room(capacities[arc], unit, used(arc, flows, rates)).compareTo(nothing) < 0);
    }

    private static BigInteger min(final BigInteger a, final BigInteger b) {
        return a == null ? b : a.min(b);
    }

    private static BigInteger room(final long capacity, final BigInteger unit, final BigInteger used) {
        return BigInteger.valueOf(capacity).multiply(unit).subtract(used);
    }

    private static BigInteger weight(final int arc, final List<Flow> flows, final List<Integer> rising) {
        return BigInteger.valueOf(rising.stream().map(flows::get)
            .mapToLong(flow -> flow.weight() * crossings(flow, arc)).sum());
    }

    private static BigInteger used(final int arc, final List<Flow> flows, final BigInteger[] rates) {
        var used = BigInteger.ZERO;
        for (int flow = 0; flow < rates.length; flow++) {
            used = used.add(rates[flow].multiply(BigInteger.valueOf(crossings(flows.get(flow), arc))));
        }
        return used;
    }
}

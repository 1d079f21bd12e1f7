// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Progressive filling in doubles: all flows grow alike until the tightest link is full, whose flows stay as they are;
 * {@link io.sluice.graph.MaxMin} computes the same exactly and more slowly. A link's level, what it has left for each of
 * its flows that still grow, never falls, so that links wait in a heap by the level that they had when last looked at.
 * Takes time O(n log n) for n places of flows on links.
 */
final class Filling {
    private static final int NONE = -1;

    private final List<Channel> channels;
    private final double[] left;
    private final int[] growing;
    /** The flows of link i are those from starts[i] to starts[i + 1]. */
    private final int[] starts;
    private final int[] flows;
    private final double[] rates;
    private final int[] binding;
    private final boolean[] isFixed;
    private final double[] seen;
    private final int[] heap;
    private int waiting;

    /** A flow's links and the most it carries, which may be infinite. */
    record Channel(int[] links, double limit) { }

    /**
     * Fills.
     *
     * @param available of each link
     * @param users of each link, how many channels cross it
     */
    Filling(final List<Channel> channels, final double[] available, final int[] users) {
        this.channels = channels;
        left = available.clone();
        growing = users.clone();
        starts = new int[users.length + 1];
        Arrays.setAll(starts, link -> link == 0 ? 0 : starts[link - 1] + users[link - 1]);
        flows = new int[starts[users.length]];
        rates = new double[channels.size()];
        Arrays.fill(rates, Double.POSITIVE_INFINITY);
        binding = new int[channels.size()];
        Arrays.fill(binding, NONE);
        isFixed = new boolean[channels.size()];
        seen = new double[users.length];
        heap = IntStream.range(0, users.length).filter(link -> users[link] > 0).toArray();
        listFlows();
        fill();
    }

    /** What a flow gets; infinite if it crosses no link and has no limit. */
    double rate(final int flow) {
        return rates[flow];
    }

    /** The link that limits a flow, if it is not its own limit. */
    OptionalInt binding(final int flow) {
        return binding[flow] == NONE ? OptionalInt.empty() : OptionalInt.of(binding[flow]);
    }

    private void listFlows() {
        final int[] ends = starts.clone();
        for (int flow = 0; flow < channels.size(); flow++) {
            for (int link : channels.get(flow).links) {
                flows[ends[link]++] = flow;
            }
        }
    }

    private void fill() {
        waiting = heap.length;
        for (int link : heap) {
            seen[link] = left[link] / growing[link];
        }
        for (int position = waiting / 2; position >= 0; position--) {
            sink(position);
        }
        final int[] limited = IntStream.range(0, rates.length)
            .filter(flow -> Double.isFinite(channels.get(flow).limit)).boxed()
            .sorted(Comparator.comparingDouble(flow -> channels.get(flow).limit)).mapToInt(Integer::intValue).toArray();
        int next = 0;
        int tightest = tightest();
        while (tightest != NONE || next < limited.length) {
            final double level = tightest == NONE ? Double.POSITIVE_INFINITY : seen[tightest];
            if (next < limited.length && channels.get(limited[next]).limit <= level) {
                fix(limited[next], channels.get(limited[next]).limit, NONE);
                next++;
            } else {
                for (int at = starts[tightest]; at < starts[tightest + 1]; at++) {
                    fix(flows[at], level, tightest);
                }
            }
            tightest = tightest();
        }
    }

    /** Stops the growth of a flow, unless it has stopped. */
    private void fix(final int flow, final double rate, final int link) {
        if (isFixed[flow]) {
            return;
        }
        isFixed[flow] = true;
        rates[flow] = rate;
        binding[flow] = link;
        for (int crossed : channels.get(flow).links) {
            left[crossed] = Math.max(0, left[crossed] - rate);
            growing[crossed]--;
        }
    }

    /** The link of the lowest level, which is the one seen, or none if no flow crosses a link any more. */
    private int tightest() {
        while (waiting > 0) {
            final int link = heap[0];
            if (growing[link] == 0) {
                heap[0] = heap[--waiting];
            } else {
                final double level = left[link] / growing[link];
                if (level <= seen[link]) {
                    return link;
                }
                seen[link] = level;
            }
            sink(0);
        }
        return NONE;
    }

    private void sink(final int from) {
        int position = from;
        int child = least(position);
        while (child < waiting && isLower(heap[child], heap[position])) {
            final int link = heap[position];
            heap[position] = heap[child];
            heap[child] = link;
            position = child;
            child = least(position);
        }
    }

    /** Position of the lower child of {@code parent}, or one past the end if it has none. */
    private int least(final int parent) {
        final int first = Math.min(2 * parent + 1, waiting);
        return first + 1 < waiting && isLower(heap[first + 1], heap[first]) ? first + 1 : first;
    }

    /** Of equal links the first is taken for the tightest. */
    private boolean isLower(final int link, final int other) {
        final int byLevel = Double.compare(seen[link], seen[other]);
        return byLevel < 0 || byLevel == 0 && link < other;
    }
}

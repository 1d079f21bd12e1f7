// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Progressive filling (Bertsekas, Gallager: Data Networks, 1992, section 6.5.2) of groups instead of flows. All flows
 * of a group rise together, each in proportion to its need, from its own start; when a link of one is full, all stop. A
 * flow that reaches its cap stops alone. Groups have parents: those of a parent that still rise share its weight, so
 * that what one gives up goes to its sisters first.
 */
final class ProgressiveFilling {
    /** A link is full, and a flow at its cap, if this part of it or less is missing: the rest is rounding. */
    static final double FULL = 1e-11;

    private final Instance instance;
    /** Of the whole round. */
    private final Crossings crossings;
    final double[] rates;
    final double[] room;
    /** Of each flow, the link that stopped it, or -1. */
    final int[] bindingLink;
    /** Room to work in, one for each link: all -1, and all 0, and empty between calls. */
    private final int[] numberOf;
    private final double[] loads;
    private final NumberSet passed;

    /**
     * What rises.
     *
     * @param flows its members
     * @param weight of the group in relation to its sisters
     * @param parent index of its parent
     * @param size what it takes of its parent's weight to progress by 1, above 0
     */
    record Group(int[] flows, double weight, int parent, double size) { }

    /** Starts at {@code rates}, which are kept, and changed by each rise; they overfill no link. */
    ProgressiveFilling(final Instance instance, final double[] rates) {
        this(instance, rates, instance.room(rates));
    }

    /** Starts at {@code rates}, as above, with so much room on each link, which is used up. */
    ProgressiveFilling(final Instance instance, final double[] rates, final double[] room) {
        this.instance = instance;
        crossings = instance.crossings;
        this.rates = rates;
        this.room = room;
        numberOf = new int[room.length];
        Arrays.fill(numberOf, -1);
        loads = new double[room.length];
        passed = new NumberSet(room.length);
        bindingLink = new int[rates.length];
        Arrays.fill(bindingLink, -1);
    }

    int[] bindingLinks() {
        return bindingLink;
    }

    /** Raises each of {@code flows} by itself from where it is, with a speed of its own, up to its cap. */
    void riseAlone(final int[] flows, final double[] speeds, final double[] caps) {
        final int[] free = IntStream.of(flows).filter(flow -> !stays(flow, caps[flow])).toArray();
        if (free.length > 0) {
            new Rise(this, alone(free), ones(free.length), flow -> 0, speeds, caps).run();
        }
    }

    /** Whether a flow by itself is stopped where it is, by its cap or else the first of its links that is full. */
    private boolean stays(final int flow, final double cap) {
        final boolean hasCap = rates[flow] >= cap;
        bindingLink[flow] = hasCap ? -1 : fullLink(flow);
        return hasCap || bindingLink[flow] >= 0;
    }

    /** The first full link of a flow, or -1. */
    private int fullLink(final int flow) {
        for (int at = crossings.firstLink[flow]; at < crossings.firstLink[flow + 1]; at++) {
            if (isFull(crossings.linkAt[at], room[crossings.linkAt[at]])) {
                return crossings.linkAt[at];
            }
        }
        return -1;
    }

    /** What a flow could have more if it had all the room that is left. */
    double roomFor(final int flow) {
        double least = Double.POSITIVE_INFINITY;
        for (int at = crossings.firstLink[flow]; at < crossings.firstLink[flow + 1]; at++) {
            least = Math.min(least, room[crossings.linkAt[at]] / crossings.linkPart[at]);
        }
        return least;
    }

    /**
     * What some flows have to do with the links that are full if each rises by the most that it can: no other can fill.
     *
     * @param flows by their numbers in the round, rising
     * @param most of each of {@code flows}
     */
    Crossings crossingsToWatch(final int[] flows, final double[] most) {
        for (int flow = 0; flow < flows.length; flow++) {
            for (int at = crossings.firstLink[flows[flow]]; at < crossings.firstLink[flows[flow] + 1]; at++) {
                passed.add(crossings.linkAt[at]);
            }
            crossings.add(flows[flow], most[flow], loads);
        }
        final var watched = new int[passed.count()];
        int count = 0;
        for (int i = 0; i < watched.length; i++) {
            final int link = passed.get(i);
            if (isFull(link, room[link] - loads[link])) {
                watched[count++] = link;
            }
            loads[link] = 0;
        }
        passed.clear();
        Arrays.sort(watched, 0, count);
        return crossings.select(flows, Arrays.copyOf(watched, count), numberOf);
    }

    /** Takes what flows have risen by from the room of their links. */
    void takeRoom(final int[] flows, final double[] risen) {
        for (int flow = 0; flow < flows.length; flow++) {
            crossings.add(flows[flow], -risen[flow], room);
        }
    }

    boolean isFull(final int link, final double left) {
        return left <= FULL * instance.available[link];
    }

    /** Raises a level common to {@code flows}: one whose weight times the level is above its rate rises with it. */
    void riseToLevel(final int[] flows, final double[] weights, final double[] caps) {
        riseTogether(alone(flows), ones(flows.length), weights, caps);
    }

    private static Group[] alone(final int[] flows) {
        return IntStream.range(0, flows.length).mapToObj(i -> new Group(new int[] {flows[i]}, 1, i, 1))
            .toArray(Group[]::new);
    }

    private static double[] ones(final int count) {
        final var ones = new double[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    /**
     * Raises groups: a flow whose need times the group's progress is above its rate rises with it.
     *
     * @param needs of each flow, above 0
     * @param caps of each flow, at least its rate
     */
    void riseTogether(final Group[] groups, final double[] parentWeights, final double[] needs, final double[] caps) {
        final var rising = parentWeights.length > 1 ? groups
            : Arrays.stream(groups).filter(group -> canRise(group.flows(), needs, caps)).toArray(Group[]::new);
        if (rising.length > 0) {
            new Rise(this, rising, parentWeights, flow -> rates[flow] / needs[flow], needs, caps).run();
        }
    }

    /**
     * Whether those of a group that rise first can. A group that can't may be left out if there is one parent: while
     * others catch up, it would take from them what changes the unit of time alone.
     */
    private boolean canRise(final int[] flows, final double[] needs, final double[] caps) {
        double first = Double.POSITIVE_INFINITY;
        for (final int flow : flows) {
            first = rates[flow] < caps[flow] ? Math.min(first, rates[flow] / needs[flow]) : first;
        }
        for (final int flow : flows) {
            if (rates[flow] < caps[flow] && rates[flow] / needs[flow] <= first * (1 + FULL) && fullLink(flow) >= 0) {
                return false;
            }
        }
        return first < Double.POSITIVE_INFINITY;
    }
}

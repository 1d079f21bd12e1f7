// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Progressive filling (Bertsekas, Gallager: Data Networks, 1992, section 6.5.2) of groups instead of flows. All flows
 * of a group rise together, each in proportion to its need, from its own start; when a link of one is full, all stop. A
 * flow that reaches its cap stops alone. Groups have parents: those of a parent that still rise share its weight, so
 * that what one gives up goes to its sisters first.
 *
 * <p>State of a flow: WAITING (others must reach its start first), then RISING, then STOPPED. Every step fills a link
 * or brings a flow to its start or cap, so their number is at most links + 2 flows.
 */
final class ProgressiveFilling {
    /** A link with less room than this part of its bandwidth is full: the rest is rounding. */
    private static final double FULL = 1e-11;

    private final Instance instance;
    private final double[] rates;
    private final double[] room;
    /** Of each flow, the link that stopped it, or -1. */
    private final int[] bindingLink;

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
        this.instance = instance;
        this.rates = rates;
        room = IntStream.range(0, instance.available.length)
            .mapToDouble(link -> Math.max(0, instance.available[link] - instance.load(link, rates))).toArray();
        bindingLink = new int[rates.length];
        Arrays.fill(bindingLink, -1);
    }

    int[] bindingLinks() {
        return bindingLink;
    }

    /** Raises each of {@code flows} by itself from where it is, with a speed of its own, up to its cap. */
    void riseAlone(final int[] flows, final double[] speeds, final double[] caps) {
        rise(alone(flows), ones(flows.length), speeds, new double[rates.length], caps);
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
        final var starts = IntStream.range(0, rates.length).mapToDouble(flow -> rates[flow] / needs[flow]).toArray();
        rise(groups, parentWeights, needs, starts, caps);
    }

    private void rise(final Group[] groups, final double[] parentWeights, final double[] needs, final double[] starts,
            final double[] caps) {
        new Rise(groups, parentWeights, needs, starts, caps).run();
    }

    /** One rise of some groups, from progress 0 of each. */
    private final class Rise {
        private final Group[] groups;
        private final double[] parentWeights;
        private final double[] needs;
        private final double[] starts;
        private final double[] base = rates.clone();
        private final double[] ends;
        private final int[] groupOf = new int[rates.length];
        private final boolean[] rising = new boolean[rates.length];

        private final double[] progress;
        private final double[] speed;
        private final boolean[] stopped;
        /** Of each group, its starts and ends in rising order, each once, and how many of them are passed. */
        private final double[][] marks;
        private final int[] passed;
        private final double[] slope = new double[room.length];
        private final boolean[] stale = new boolean[room.length];
        /** Of each link, the time of which {@code room} tells, and when it is full if no slope changes. */
        private final double[] updatedAt = new double[room.length];
        private final double[] fullAt = new double[room.length];
        private double now;
        private int[] active;
        /** Links that fill, the first {@code steepCount}. */
        private final int[] steep;
        private int steepCount;

        Rise(final Group[] groups, final double[] parentWeights, final double[] needs, final double[] starts,
                final double[] caps) {
            this.groups = groups;
            this.parentWeights = parentWeights;
            this.needs = needs;
            this.starts = starts;
            ends = new double[rates.length];
            progress = new double[groups.length];
            speed = new double[groups.length];
            stopped = new boolean[groups.length];
            marks = new double[groups.length][];
            passed = new int[groups.length];
            Arrays.fill(groupOf, -1);
            for (int group = 0; group < groups.length; group++) {
                final int[] flows = groups[group].flows();
                for (final int flow : flows) {
                    groupOf[flow] = group;
                    ends[flow] = starts[flow] + (caps[flow] - base[flow]) / needs[flow];
                }
                marks[group] = marks(flows);
            }
            active = IntStream.range(0, groups.length).toArray();
            steep = new int[room.length];
        }

        private double[] marks(final int[] flows) {
            final var sorted = new double[2 * flows.length];
            for (int i = 0; i < flows.length; i++) {
                sorted[2 * i] = starts[flows[i]];
                sorted[2 * i + 1] = ends[flows[i]];
            }
            Arrays.sort(sorted);
            int distinct = 0;
            for (final double mark : sorted) {
                final boolean fresh = distinct == 0 || mark > sorted[distinct - 1];
                if (fresh && mark < Double.POSITIVE_INFINITY) {
                    sorted[distinct++] = mark;
                }
            }
            return Arrays.copyOf(sorted, distinct);
        }

        void run() {
            share();
            for (final int group : active) {
                passMarks(group);
            }
            settle();
            while (active.length > 0) {
                advance(nextTime());
                for (final int group : active) {
                    passMarks(group);
                }
                for (int i = 0; i < steepCount; i++) {
                    if (fullAt[steep[i]] <= now) {
                        stopGroupsOn(steep[i]);
                    }
                }
                settle();
            }
            for (int link = 0; link < room.length; link++) {
                update(link);
            }
        }

        /** When the next link is full or the next mark is reached. */
        private double nextTime() {
            double next = Double.POSITIVE_INFINITY;
            for (int i = 0; i < steepCount; i++) {
                next = Math.min(next, fullAt[steep[i]]);
            }
            for (final int group : active) {
                next = Math.min(next, markAt(group));
            }
            return next;
        }

        /** When the next mark of a group is reached; never, if there is none. */
        private double markAt(final int group) {
            return passed[group] == marks[group].length ? Double.POSITIVE_INFINITY
                : now + (marks[group][passed[group]] - progress[group]) / speed[group];
        }

        /** The mark that decided the time is reached exactly: every step passes a mark or fills a link. */
        private void advance(final double time) {
            for (final int group : active) {
                progress[group] = markAt(group) <= time ? marks[group][passed[group]]
                    : progress[group] + (time - now) * speed[group];
            }
            now = time;
        }

        /** Brings the room of a link up to now. */
        private void update(final int link) {
            final double left = room[link] - (now - updatedAt[link]) * slope[link];
            room[link] = left <= FULL * instance.available[link] ? 0 : left;
            updatedAt[link] = now;
        }

        private void passMarks(final int group) {
            if (passed[group] == marks[group].length || progress[group] < marks[group][passed[group]]) {
                return;
            }
            passed[group]++;
            boolean open = false;
            for (final int flow : groups[group].flows()) {
                final boolean ended = progress[group] >= ends[flow];
                if (rising[flow] && ended) {
                    halt(flow);
                }
                if (ended) {
                    bindingLink[flow] = -1;
                } else if (!rising[flow] && progress[group] >= starts[flow]) {
                    turn(flow, true);
                }
                open |= progress[group] < ends[flow];
            }
            if (!open) {
                stopped[group] = true;
            }
        }

        /** Has a rising flow stay where it is. */
        private void halt(final int flow) {
            rates[flow] = base[flow] + (Math.min(progress[groupOf[flow]], ends[flow]) - starts[flow]) * needs[flow];
            turn(flow, false);
        }

        private void turn(final int flow, final boolean rises) {
            rising[flow] = rises;
            markStale(flow);
        }

        /** Has the slopes of the links of a flow computed anew. */
        private void markStale(final int flow) {
            for (final int link : instance.linksOf[flow]) {
                stale[link] = true;
            }
        }

        private void stopGroupsOn(final int link) {
            for (final int flow : instance.flowsOn[link]) {
                if (rising[flow]) {
                    final int group = groupOf[flow];
                    for (final int member : groups[group].flows()) {
                        if (rising[member]) {
                            halt(member);
                            bindingLink[member] = passes(member, link) ? link : bindingLink[member];
                        }
                    }
                    stopped[group] = true;
                }
            }
        }

        private boolean passes(final int flow, final int link) {
            return Arrays.binarySearch(instance.linksOf[flow], link) >= 0;
        }

        /** Takes out stopped groups and gives their parents' weight to those that still rise. */
        private void settle() {
            int left = 0;
            for (final int group : active) {
                if (!stopped[group]) {
                    active[left++] = group;
                }
            }
            if (left < active.length) {
                active = Arrays.copyOf(active, left);
                share();
            }
            int rest = 0;
            for (int link = 0; link < slope.length; link++) {
                if (stale[link]) {
                    update(link);
                    slope[link] = slope(link);
                    fullAt[link] = now + room[link] / slope[link];
                    stale[link] = false;
                }
                if (slope[link] > 0) {
                    steep[rest++] = link;
                }
            }
            steepCount = rest;
        }

        private double slope(final int link) {
            double sum = 0;
            final int[] flows = instance.flowsOn[link];
            for (int i = 0; i < flows.length; i++) {
                if (rising[flows[i]]) {
                    sum += needs[flows[i]] * speed[groupOf[flows[i]]] * instance.partsOn[link][i];
                }
            }
            return sum;
        }

        /**
         * Sets speeds: the groups of a parent that still rise share its weight by theirs. If no other parent is left,
         * that would change the unit of time alone.
         */
        private void share() {
            if (active.length > 0 && speed[active[0]] > 0 && oneParent()) {
                return;
            }
            final var sums = new double[parentWeights.length];
            for (final int group : active) {
                sums[groups[group].parent()] += groups[group].weight();
            }
            for (final int group : active) {
                final var risen = groups[group];
                final double fresh = parentWeights[risen.parent()] * risen.weight() / sums[risen.parent()]
                    / risen.size();
                if (Double.compare(fresh, speed[group]) != 0) {
                    speed[group] = fresh;
                    for (final int flow : risen.flows()) {
                        markStale(flow);
                    }
                }
            }
        }

        private boolean oneParent() {
            for (final int group : active) {
                if (groups[group].parent() != groups[active[0]].parent()) {
                    return false;
                }
            }
            return true;
        }
    }
}

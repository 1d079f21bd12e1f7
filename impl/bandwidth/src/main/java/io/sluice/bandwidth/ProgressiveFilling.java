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
    /** A link is full, and a flow at its cap, if this part of it or less is missing: the rest is rounding. */
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
        this(instance, rates, IntStream.range(0, instance.available.length)
            .mapToDouble(link -> Math.max(0, instance.available[link] - instance.load(link, rates))).toArray());
    }

    /** Starts at {@code rates}, as above, with so much room on each link, which is used up. */
    ProgressiveFilling(final Instance instance, final double[] rates, final double[] room) {
        this.instance = instance;
        this.rates = rates;
        this.room = room;
        bindingLink = new int[rates.length];
        Arrays.fill(bindingLink, -1);
    }

    int[] bindingLinks() {
        return bindingLink;
    }

    /** Raises each of {@code flows} by itself from where it is, with a speed of its own, up to its cap. */
    void riseAlone(final int[] flows, final double[] speeds, final double[] caps) {
        final int[] free = IntStream.of(flows).filter(flow -> !stays(flow, caps[flow])).toArray();
        rise(alone(free), ones(free.length), speeds, new double[rates.length], caps);
    }

    /** Whether a flow by itself is stopped where it is, by its cap or else the first of its links that is full. */
    private boolean stays(final int flow, final double cap) {
        bindingLink[flow] = -1;
        if (rates[flow] >= cap) {
            return true;
        }
        for (final int link : instance.linksOf[flow]) {
            if (isFull(link, room[link])) {
                bindingLink[flow] = link;
                return true;
            }
        }
        return false;
    }

    private boolean isFull(final int link, final double left) {
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
        private final double[] caps;
        private final double[] base = rates.clone();
        private final double[] ends = new double[rates.length];
        private final int[] groupOf = new int[rates.length];
        private final boolean[] rising = new boolean[rates.length];

        /** Progress of each group at a time since which its speed is the same. */
        private final double[] anchor;
        private final double[] since;
        private final double[] speed;
        private final boolean[] stopped;
        /** Of each group, its starts and ends in rising order, each once, and how many of them are passed. */
        private final double[][] marks;
        private final int[] passed;
        /** Of each parent, its groups, and how many of them rise. */
        private final int[][] groupsOf;
        private final int[] risingOf;
        private final NumberSet changedParents;
        private int risingParents;
        private final double[] slope = new double[room.length];
        /** Links that are full if all flows come to their caps: of the others the room is known at the end. */
        private final boolean[] canFill = new boolean[room.length];
        /** Of each link, the time of which {@code room} tells. */
        private final double[] updatedAt = new double[room.length];
        private final NumberSet staleLinks = new NumberSet(room.length);
        /** When the next mark of each group is reached, and from the number of groups on, when each link is full. */
        private final Agenda agenda;
        private double now;

        Rise(final Group[] groups, final double[] parentWeights, final double[] needs, final double[] starts,
                final double[] caps) {
            this.groups = groups;
            this.parentWeights = parentWeights;
            this.needs = needs;
            this.starts = starts;
            this.caps = caps;
            anchor = new double[groups.length];
            since = new double[groups.length];
            speed = new double[groups.length];
            stopped = new boolean[groups.length];
            marks = new double[groups.length][];
            passed = new int[groups.length];
            groupsOf = new int[parentWeights.length][];
            risingOf = new int[parentWeights.length];
            changedParents = new NumberSet(parentWeights.length);
            agenda = new Agenda(groups.length + room.length);
            for (int group = 0; group < groups.length; group++) {
                final int[] flows = groups[group].flows();
                for (final int flow : flows) {
                    groupOf[flow] = group;
                    ends[flow] = starts[flow] + (caps[flow] - base[flow]) / needs[flow];
                }
                marks[group] = marks(flows);
                risingOf[groups[group].parent()]++;
            }
            adopt();
            findWhatCanFill();
        }

        private void findWhatCanFill() {
            final var most = new double[room.length];
            for (final var group : groups) {
                for (final int flow : group.flows()) {
                    for (int i = 0; i < instance.linksOf[flow].length; i++) {
                        most[instance.linksOf[flow][i]] += (caps[flow] - base[flow]) * instance.partsOf[flow][i];
                    }
                }
            }
            for (int link = 0; link < room.length; link++) {
                canFill[link] = isFull(link, room[link] - most[link]);
            }
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

        /** Tells parents of their groups. */
        private void adopt() {
            final var filled = new int[groupsOf.length];
            for (int group = 0; group < groups.length; group++) {
                final int parent = groups[group].parent();
                if (filled[parent] == 0) {
                    groupsOf[parent] = new int[risingOf[parent]];
                    risingParents++;
                }
                groupsOf[parent][filled[parent]++] = group;
            }
        }

        void run() {
            for (int parent = 0; parent < groupsOf.length; parent++) {
                if (risingOf[parent] > 0) {
                    share(parent);
                }
            }
            settle();
            while (risingParents > 0) {
                now = agenda.next();
                if (now == Double.POSITIVE_INFINITY) {
                    throw new IllegalStateException("flows rise that no link, limit or demand stops");
                }
                while (agenda.next() <= now) {
                    final int item = agenda.poll();
                    if (item < groups.length) {
                        reachMark(item);
                    } else {
                        stopGroupsOn(item - groups.length);
                    }
                }
                settle();
            }
            for (int link = 0; link < room.length; link++) {
                if (canFill[link]) {
                    update(link);
                } else {
                    room[link] -= risen(link);
                }
            }
        }

        /** What flows have of a link more than at the start. */
        private double risen(final int link) {
            double risen = 0;
            final int[] flows = instance.flowsOn[link];
            for (int i = 0; i < flows.length; i++) {
                risen += (rates[flows[i]] - base[flows[i]]) * instance.partsOn[link][i];
            }
            return risen;
        }

        private double progress(final int group) {
            return anchor[group] + (now - since[group]) * speed[group];
        }

        /** Sees to it that the next mark of a group is reached in time. */
        private void schedule(final int group) {
            agenda.set(group, passed[group] == marks[group].length ? Double.POSITIVE_INFINITY
                : since[group] + (marks[group][passed[group]] - anchor[group]) / speed[group]);
        }

        /** The mark is reached exactly, whatever the times were rounded to. */
        private void reachMark(final int group) {
            anchor[group] = marks[group][passed[group]++];
            since[group] = now;
            boolean open = false;
            for (final int flow : groups[group].flows()) {
                final boolean ended = anchor[group] >= ends[flow];
                if (rising[flow] && ended) {
                    halt(flow);
                }
                if (ended) {
                    bindingLink[flow] = -1;
                } else if (!rising[flow] && anchor[group] >= starts[flow]) {
                    turn(flow, true);
                }
                open |= !ended;
            }
            if (open) {
                schedule(group);
            } else {
                stop(group);
            }
        }

        /** Has a rising flow stay where it is. */
        private void halt(final int flow) {
            rates[flow] = hasCap(flow) ? caps[flow] : reached(flow);
            turn(flow, false);
        }

        private double reached(final int flow) {
            return base[flow] + (progress(groupOf[flow]) - starts[flow]) * needs[flow];
        }

        /** Whether a rising flow is at its cap, but for rounding. */
        private boolean hasCap(final int flow) {
            return reached(flow) >= caps[flow] * (1 - FULL);
        }

        private void turn(final int flow, final boolean rises) {
            rising[flow] = rises;
            markStale(flow);
        }

        /** Has the slopes of the links of a flow computed anew. */
        private void markStale(final int flow) {
            for (final int link : instance.linksOf[flow]) {
                if (canFill[link]) {
                    staleLinks.add(link);
                }
            }
        }

        /** A flow that comes to its cap as the link is full is stopped by the cap, alone. */
        private void stopGroupsOn(final int link) {
            for (final int flow : instance.flowsOn[link]) {
                if (rising[flow] && hasCap(flow)) {
                    halt(flow);
                } else if (rising[flow]) {
                    final int group = groupOf[flow];
                    for (final int member : groups[group].flows()) {
                        if (rising[member]) {
                            halt(member);
                            bindingLink[member] = passes(member, link) ? link : bindingLink[member];
                        }
                    }
                    stop(group);
                }
            }
        }

        private boolean passes(final int flow, final int link) {
            return Arrays.binarySearch(instance.linksOf[flow], link) >= 0;
        }

        private void stop(final int group) {
            stopped[group] = true;
            agenda.cancel(group);
            final int parent = groups[group].parent();
            if (--risingOf[parent] == 0) {
                risingParents--;
            } else {
                changedParents.add(parent);
            }
        }

        /**
         * Gives the weight of parents to those of their groups that still rise, and computes when links are full. If no
         * other parent is left, more weight would change the unit of time alone.
         */
        private void settle() {
            for (int i = 0; i < changedParents.count(); i++) {
                if (risingParents > 1 && risingOf[changedParents.get(i)] > 0) {
                    share(changedParents.get(i));
                }
            }
            changedParents.clear();
            for (int i = 0; i < staleLinks.count(); i++) {
                final int link = staleLinks.get(i);
                update(link);
                slope[link] = slope(link);
                agenda.set(groups.length + link,
                    slope[link] > 0 ? now + room[link] / slope[link] : Double.POSITIVE_INFINITY);
            }
            staleLinks.clear();
        }

        /** Brings the room of a link up to now. */
        private void update(final int link) {
            final double left = room[link] - (now - updatedAt[link]) * slope[link];
            room[link] = isFull(link, left) ? 0 : left;
            updatedAt[link] = now;
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

        /** Sets speeds: the groups of a parent that still rise share its weight by theirs. */
        private void share(final int parent) {
            double sum = 0;
            for (final int group : groupsOf[parent]) {
                sum += stopped[group] ? 0 : groups[group].weight();
            }
            for (final int group : groupsOf[parent]) {
                final double fresh = parentWeights[parent] * groups[group].weight() / sum / groups[group].size();
                if (!stopped[group] && Double.compare(fresh, speed[group]) != 0) {
                    anchor[group] = progress(group);
                    since[group] = now;
                    speed[group] = fresh;
                    schedule(group);
                    for (final int flow : groups[group].flows()) {
                        markStale(flow);
                    }
                }
            }
        }
    }
}

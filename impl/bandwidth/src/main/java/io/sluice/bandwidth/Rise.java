// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.bandwidth.ProgressiveFilling.Group;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * One rise of a {@link ProgressiveFilling}: of some groups, from progress 0 of each. Their flows, and the links that
 * these may fill, have numbers of their own in it.
 *
 * <p>State of a flow: WAITING (others must reach its start first), then RISING, then STOPPED. Every step fills a link
 * or brings a flow to its start or cap, so their number is at most links + 2 flows.
 */
final class Rise {
    private final ProgressiveFilling filling;
    /** Of each flow, its number in the round. */
    private final int[] flows;
    private final double[] needs;
    private final double[] caps;
    private final double[] base;
    /** Progress of its group at which each flow begins to rise, and at which it has its cap. */
    private final double[] starts;
    private final double[] ends;
    private final int[] groupOf;
    /** Of each group, its first flow; then where the last one's end. */
    private final int[] firstFlow;

    /** Progress of each group at a time since which its speed is the same. */
    private final double[] anchor;
    private final double[] since;
    private final double[] speed;
    /** Starts and ends, two for each flow, those of a group in rising order; and the next one of each group. */
    private final double[] marks;
    private final int[] nextMark;

    private final Sisters sisters;
    private final Crossings crossings;
    private final FillingLinks links;
    /** When the next mark of each group is reached, and from the number of groups on, when each link is full. */
    private final Agenda agenda;
    private double now;

    /**
     * Prepares a rise.
     *
     * @param groups their flows, one after the other, are in the order of the round
     * @param starts of a flow of the round, the progress of its group at which it begins to rise
     * @param needs of each flow of the round, above 0
     * @param caps of each flow of the round, at least its rate
     */
    Rise(final ProgressiveFilling filling, final Group[] groups, final double[] parentWeights,
            final IntToDoubleFunction starts, final double[] needs, final double[] caps) {
        this.filling = filling;
        firstFlow = firstFlows(groups);
        flows = new int[firstFlow[groups.length]];
        groupOf = new int[flows.length];
        for (int group = 0; group < groups.length; group++) {
            final int[] members = groups[group].flows();
            System.arraycopy(members, 0, flows, firstFlow[group], members.length);
            Arrays.fill(groupOf, firstFlow[group], firstFlow[group + 1], group);
        }
        this.needs = of(needs);
        this.caps = of(caps);
        base = of(filling.rates);
        this.starts = new double[flows.length];
        ends = new double[flows.length];
        for (int flow = 0; flow < flows.length; flow++) {
            this.starts[flow] = starts.applyAsDouble(flows[flow]);
            ends[flow] = this.starts[flow] + (this.caps[flow] - base[flow]) / this.needs[flow];
        }
        marks = marks();
        nextMark = new int[groups.length];
        Arrays.setAll(nextMark, group -> 2 * firstFlow[group]);
        anchor = new double[groups.length];
        since = new double[groups.length];
        speed = new double[groups.length];
        sisters = new Sisters(groups, parentWeights);
        crossings = filling.crossingsToWatch(flows, most());
        links = new FillingLinks(filling, crossings);
        agenda = new Agenda(groups.length + crossings.links.length);
    }

    private static int[] firstFlows(final Group[] groups) {
        final var first = new int[groups.length + 1];
        for (int group = 0; group < groups.length; group++) {
            first[group + 1] = first[group] + groups[group].flows().length;
        }
        return first;
    }

    private double[] of(final double[] round) {
        final var own = new double[flows.length];
        for (int flow = 0; flow < own.length; flow++) {
            own[flow] = round[flows[flow]];
        }
        return own;
    }

    /**
     * Of each flow, an upper bound of what its rate can rise by: up to its cap, and only while each flow of its group,
     * were it alone, has room on its links. A link that this does not fill is not watched.
     */
    private double[] most() {
        final var farthest = new double[speed.length];
        Arrays.fill(farthest, Double.POSITIVE_INFINITY);
        for (int flow = 0; flow < flows.length; flow++) {
            final double free = filling.roomFor(flows[flow]);
            if (base[flow] + free < caps[flow] * (1 - 2 * ProgressiveFilling.FULL)) {
                farthest[groupOf[flow]] = Math.min(farthest[groupOf[flow]], starts[flow] + free / needs[flow]);
            }
        }
        final var most = new double[flows.length];
        for (int flow = 0; flow < flows.length; flow++) {
            most[flow] = Math.max(0, Math.min(ends[flow], farthest[groupOf[flow]]) - starts[flow]) * needs[flow];
        }
        return most;
    }

    private double[] marks() {
        final var sorted = new double[2 * flows.length];
        for (int flow = 0; flow < flows.length; flow++) {
            sorted[2 * flow] = starts[flow];
            sorted[2 * flow + 1] = ends[flow];
        }
        for (int group = 0; group < firstFlow.length - 1; group++) {
            if (firstFlow[group + 1] - firstFlow[group] > 1) {
                Arrays.sort(sorted, 2 * firstFlow[group], 2 * firstFlow[group + 1]);
            }
        }
        return sorted;
    }

    void run() {
        sisters.share(this::begin);
        settle();
        while (sisters.anyRises()) {
            now = agenda.next();
            if (now == Double.POSITIVE_INFINITY) {
                throw new IllegalStateException("flows rise that no link, limit or demand stops");
            }
            while (agenda.next() <= now) {
                final int item = agenda.poll();
                if (item < speed.length) {
                    reachMark(item);
                } else {
                    stopGroupsOn(item - speed.length);
                }
            }
            settle();
        }
        end();
    }

    private void settle() {
        sisters.shareAnew(this::setSpeed);
        links.schedule(now, agenda, speed.length);
    }

    private void end() {
        final double[] risen = of(filling.rates);
        Arrays.setAll(risen, flow -> risen[flow] - base[flow]);
        links.end(now, flows, risen);
    }

    private void begin(final int group, final double first) {
        speed[group] = first;
        if (marks[nextMark[group]] > 0) {
            schedule(group);
        } else {
            reachMark(group);
        }
    }

    private void setSpeed(final int group, final double fresh) {
        if (Double.compare(fresh, speed[group]) != 0) {
            anchor[group] = progress(group);
            since[group] = now;
            speed[group] = fresh;
            schedule(group);
            for (int flow = firstFlow[group]; flow < firstFlow[group + 1]; flow++) {
                if (links.rises(flow)) {
                    links.setPace(flow, needs[flow] * fresh, now);
                }
            }
        }
    }

    private double progress(final int group) {
        return anchor[group] + (now - since[group]) * speed[group];
    }

    /** Sees to it that the next mark of a group is reached in time. */
    private void schedule(final int group) {
        agenda.set(group, since[group] + (marks[nextMark[group]] - anchor[group]) / speed[group]);
    }

    /** The mark is reached exactly, whatever the times were rounded to. */
    private void reachMark(final int group) {
        anchor[group] = marks[nextMark[group]];
        since[group] = now;
        while (nextMark[group] < 2 * firstFlow[group + 1] && marks[nextMark[group]] <= anchor[group]) {
            nextMark[group]++;
        }
        boolean open = false;
        for (int flow = firstFlow[group]; flow < firstFlow[group + 1]; flow++) {
            final boolean ended = anchor[group] >= ends[flow];
            if (ended && links.rises(flow)) {
                halt(flow);
            }
            if (ended) {
                filling.bindingLink[flows[flow]] = -1;
            } else if (!links.rises(flow) && anchor[group] >= starts[flow]) {
                links.setPace(flow, needs[flow] * speed[group], now);
            }
            open |= !ended;
        }
        if (open) {
            schedule(group);
        } else {
            stop(group);
        }
    }

    private void stop(final int group) {
        agenda.cancel(group);
        sisters.stop(group);
    }

    /** Has a rising flow stay where it is. */
    private void halt(final int flow) {
        filling.rates[flows[flow]] = hasCap(flow) ? caps[flow] : reached(flow);
        links.setPace(flow, 0, now);
    }

    private double reached(final int flow) {
        return base[flow] + (progress(groupOf[flow]) - starts[flow]) * needs[flow];
    }

    /** Whether a rising flow is at its cap, but for rounding. */
    private boolean hasCap(final int flow) {
        return reached(flow) >= caps[flow] * (1 - ProgressiveFilling.FULL);
    }

    /** A flow that comes to its cap as the link is full is stopped by the cap, alone. */
    private void stopGroupsOn(final int link) {
        for (int i = crossings.firstFlow[link]; i < crossings.firstFlow[link + 1]; i++) {
            final int flow = crossings.flowAt[i];
            if (links.rises(flow) && hasCap(flow)) {
                halt(flow);
            } else if (links.rises(flow)) {
                haltAll(groupOf[flow], link);
                stop(groupOf[flow]);
            }
        }
    }

    private void haltAll(final int group, final int link) {
        for (int flow = firstFlow[group]; flow < firstFlow[group + 1]; flow++) {
            if (links.rises(flow)) {
                halt(flow);
                if (crossings.passes(flow, link)) {
                    filling.bindingLink[flows[flow]] = crossings.links[link];
                }
            }
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.bandwidth.ProgressiveFilling.Group;
import java.util.ArrayList;
import java.util.Arrays;

/**
 * Max-min fairness of applications over all links at once. The progress of an application is the part of its demand
 * that it gets: all its flows have the same, for those ahead of the slowest would only fill queues. Between
 * applications it is the dominant share that counts (Ghodsi et al., Dominant Resource Fairness, NSDI 2011): the part
 * of the link of which an application uses most. On a single link that is bandwidth, so none gains by claiming more
 * or by having more flows, and small applications are not held to the pace of large ones.
 *
 * <ol>
 * <li>Each flow has its guarantee, idle ones too. If a link can't carry these, the round is refused.
 * <li>Applications rise at the speed of their weights: a flow has the progress of its application times its demand, but
 *     at least its guarantee and at most its limit and demand. A full link stops every application with a rising flow
 *     there. The applications of a tenant share the tenant's weight by theirs, and what a stopped one leaves goes to
 *     its sisters first. Where an active flow has less than {@link Instance#least} then, the others make room for it.
 * <li>They rise on in the same way beyond their demands, with their limits alone as caps: head-room, so that an
 *     application can grow as a whole before the next round.
 * <li>What is left goes to active flows one by one, in proportion to demand and to the weights above them, up to their
 *     limits.
 * <li>Inside an application, flows of later stages go before those of earlier ones, and those to receivers that can
 *     pass on what they get before others: {@link LatestStageFirst}. What nobody there wants is left over again, for
 *     phases 3 and 4, and goes to idle flows last.
 * </ol>
 *
 * <p>A flow without a report rises beyond any demand, at the pace of {@link Instance#need}.
 */
public final class AppMaxMin implements Policy {
    @Override
    public Allocation allocate(final Round round) {
        return Instance.answer(round, Instance.LEAST_SHARE, AppMaxMin::fill);
    }

    private static Allocation fill(final Instance instance) {
        final var rates = instance.guarantee.clone();
        final var groups = groups(instance);
        var needs = instance.need;
        var filling = new ProgressiveFilling(instance, rates);
        riseToDemand(instance, groups, filling);
        if (Scaling.lift(instance, rates)) {
            filling = new ProgressiveFilling(instance, rates);
        }
        shareHeadRoom(instance, groups, filling, needs);
        final var reordered = LatestStageFirst.reorder(instance, groups, rates);
        if (reordered.isPresent()) {
            needs = reordered.orElseThrow();
            filling = new ProgressiveFilling(instance, rates);
            shareHeadRoom(instance, groups, filling, needs);
        }
        Leftovers.shareAmongIdle(instance, filling, speeds(instance, needs));
        return Rounding.answer(instance, rates, filling.bindingLinks());
    }

    /** Phase 2. */
    static void riseToDemand(final Instance instance, final Group[] groups, final ProgressiveFilling filling) {
        riseTogether(instance, groups, filling, instance.need, instance.wanted);
    }

    /** Phase 3. */
    static void riseToLimit(final Instance instance, final Group[] groups, final ProgressiveFilling filling,
            final double[] needs) {
        riseTogether(instance, groups, filling, needs, instance.limit);
    }

    private static void riseTogether(final Instance instance, final Group[] groups, final ProgressiveFilling filling,
            final double[] needs, final double[] caps) {
        final var tenantWeights = Arrays.stream(instance.tenantWeight).asDoubleStream().toArray();
        filling.riseTogether(groups, tenantWeights, needs, caps);
    }

    /** Phases 3 and 4. */
    private static void shareHeadRoom(final Instance instance, final Group[] groups, final ProgressiveFilling filling,
            final double[] needs) {
        riseToLimit(instance, groups, filling, needs);
        Leftovers.shareAmongActive(instance, filling, speeds(instance, needs));
    }

    static Group[] groups(final Instance instance) {
        final int[] active = instance.activeFlows;
        final var loads = new double[instance.available.length];
        final var groups = new ArrayList<Group>();
        int first = 0;
        for (int end = 1; end <= active.length; end++) {
            final int application = instance.applicationOf[active[first]];
            if (end == active.length || instance.applicationOf[active[end]] != application) {
                groups.add(group(instance, application, Arrays.copyOfRange(active, first, end), loads));
                first = end;
            }
        }
        return groups.toArray(Group[]::new);
    }

    private static Group group(final Instance instance, final int application, final int[] flows,
            final double[] loads) {
        return new Group(flows, instance.applicationWeight[application], instance.tenantOf[application],
            dominantShare(instance, flows, loads));
    }

    /**
     * The largest part of a link that the application needs for all of its demand; above 1 if it can't have that. A
     * flow counts with its demand though its limit be less: the others are of no more use than it.
     *
     * @param loads room to work in, one for each link, all 0 before the call and after it
     */
    private static double dominantShare(final Instance instance, final int[] flows, final double[] loads) {
        final var crossings = instance.crossings;
        double largest = 0;
        for (final int flow : flows) {
            for (int at = crossings.firstLink[flow]; at < crossings.firstLink[flow + 1]; at++) {
                final int link = crossings.linkAt[at];
                loads[link] += instance.need[flow] * crossings.linkPart[at] / Math.max(1, instance.available[link]);
                largest = Math.max(largest, loads[link]);
            }
        }
        for (final int flow : flows) {
            for (int at = crossings.firstLink[flow]; at < crossings.firstLink[flow + 1]; at++) {
                loads[crossings.linkAt[at]] = 0;
            }
        }
        return largest;
    }

    /** A tenant's flows have speeds that sum to its weight. */
    private static double[] speeds(final Instance instance, final double[] needs) {
        final var speeds = new double[needs.length];
        Arrays.setAll(speeds, flow -> needs[flow] * instance.applicationWeight[instance.applicationOf[flow]]);
        final var sums = new double[instance.tenantWeight.length];
        for (int flow = 0; flow < speeds.length; flow++) {
            sums[instance.tenant(flow)] += instance.idle[flow] ? 0 : speeds[flow];
        }
        for (int flow = 0; flow < speeds.length; flow++) {
            final int tenant = instance.tenant(flow);
            speeds[flow] = instance.tenantWeight[tenant] * (sums[tenant] > 0 ? speeds[flow] / sums[tenant] : 1);
        }
        return speeds;
    }
}

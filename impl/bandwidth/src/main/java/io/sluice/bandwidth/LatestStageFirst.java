// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.bandwidth.ProgressiveFilling.Group;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Who goes first inside an application: of what it has of each link, flows of a later stage get what they want before
 * those of an earlier one, so that what has come far does not wait beside what has just begun. In the theory of queues
 * this is last buffer first served (Lu and Kumar, Distributed scheduling based on due dates and buffer priorities, IEEE
 * Transactions on Automatic Control 36(12), 1991).
 *
 * <p>Each flow keeps a twentieth of what it had, so that none starves. Flows of one stage progress together, as those
 * that are joined do, until a link stops them; then each goes on by itself, up to its demand. A flow without a report
 * stays as it is: nobody knows what it wants.
 */
final class LatestStageFirst {
    /** Part of what a flow had that no other takes from it. */
    static final double KEPT = 0.05;

    private static final double[] ONE_PARENT = {1};

    private final Instance instance;
    private final double[] rates;
    private final double[] wanted;
    /** Of each link, what flows of the application may have of it beyond what they keep. */
    private final double[] given;
    private final ProgressiveFilling filling;

    private LatestStageFirst(final Instance instance, final double[] rates) {
        this.instance = instance;
        this.rates = rates;
        wanted = IntStream.range(0, rates.length).mapToDouble(instance::wanted).toArray();
        given = new double[instance.available.length];
        filling = new ProgressiveFilling(instance, rates, given);
    }

    /**
     * Changes rates inside applications.
     *
     * @param applications with their active flows
     * @param rates at least guarantees; afterwards no application has more of a link than before
     * @return whether there was an application of several stages
     */
    static boolean reorder(final Instance instance, final Group[] applications, final double[] rates) {
        final var staged = Arrays.stream(applications).map(Group::flows).filter(flows -> differ(instance, flows))
            .map(flows -> stages(instance, flows)).filter(stages -> stages.length > 1).toList();
        if (!staged.isEmpty()) {
            final var order = new LatestStageFirst(instance, rates);
            staged.forEach(order::reorder);
        }
        return !staged.isEmpty();
    }

    private static boolean differ(final Instance instance, final int[] flows) {
        final int stage = instance.flows.get(flows[0]).stage();
        return IntStream.of(flows).anyMatch(flow -> instance.flows.get(flow).stage() != stage);
    }

    /** Flows that have a report, by their stage, the last first. */
    private static int[][] stages(final Instance instance, final int[] flows) {
        final int[] known = IntStream.of(flows).filter(flow -> instance.demand[flow] < Double.POSITIVE_INFINITY)
            .toArray();
        return IntStream.of(known).map(flow -> -instance.flows.get(flow).stage()).distinct().sorted()
            .mapToObj(stage -> IntStream.of(known).filter(flow -> -instance.flows.get(flow).stage() == stage).toArray())
            .toArray(int[][]::new);
    }

    private void reorder(final int[][] stages) {
        Arrays.fill(given, 0);
        for (final int[] stage : stages) {
            for (final int flow : stage) {
                give(flow);
            }
        }
        for (final int[] stage : stages) {
            filling.riseTogether(new Group[] {new Group(stage, 1, 0, 1)}, ONE_PARENT, instance.need, wanted);
            filling.riseAlone(stage, instance.need, wanted);
        }
    }

    /** Has a flow give what it does not keep. */
    private void give(final int flow) {
        final double guarantee = instance.guarantee[flow];
        final double kept = Math.min(wanted[flow], guarantee + (rates[flow] - guarantee) * KEPT);
        for (int i = 0; i < instance.linksOf[flow].length; i++) {
            given[instance.linksOf[flow][i]] += (rates[flow] - kept) * instance.partsOf[flow][i];
        }
        rates[flow] = kept;
    }
}

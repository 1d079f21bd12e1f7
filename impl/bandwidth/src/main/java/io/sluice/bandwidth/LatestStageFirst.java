// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.bandwidth.ProgressiveFilling.Group;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
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

    private LatestStageFirst(final Instance instance, final double[] rates) {
        this.instance = instance;
        this.rates = rates;
        wanted = IntStream.range(0, rates.length).mapToDouble(instance::wanted).toArray();
    }

    /**
     * Changes rates inside applications.
     *
     * @param rates at least guarantees; afterwards no application has more of a link than before
     * @return whether there was an application of several stages
     */
    static boolean reorder(final Instance instance, final double[] rates) {
        final var order = new LatestStageFirst(instance, rates);
        final var staged = IntStream.range(0, instance.applications.size()).mapToObj(order::stages)
            .filter(stages -> stages.size() > 1).toList();
        staged.forEach(order::reorder);
        return !staged.isEmpty();
    }

    /** The active flows of an application that have a report, by their stage, the last first. */
    private SortedMap<Integer, int[]> stages(final int application) {
        final var stages = new TreeMap<Integer, int[]>(Collections.reverseOrder());
        final int[] flows = IntStream.of(instance.activeFlows())
            .filter(flow -> instance.applicationOf[flow] == application
                && instance.demand[flow] < Double.POSITIVE_INFINITY).toArray();
        IntStream.of(flows).map(this::stage).distinct().forEach(stage ->
            stages.put(stage, IntStream.of(flows).filter(flow -> stage(flow) == stage).toArray()));
        return stages;
    }

    private int stage(final int flow) {
        return instance.flows.get(flow).stage();
    }

    private void reorder(final SortedMap<Integer, int[]> stages) {
        final var given = new double[instance.available.length];
        stages.values().stream().flatMapToInt(IntStream::of).forEach(flow -> {
            final double guarantee = instance.guarantee[flow];
            final double kept = Math.min(wanted[flow], guarantee + (rates[flow] - guarantee) * KEPT);
            for (int i = 0; i < instance.linksOf[flow].length; i++) {
                given[instance.linksOf[flow][i]] += (rates[flow] - kept) * instance.partsOf[flow][i];
            }
            rates[flow] = kept;
        });
        final var filling = new ProgressiveFilling(instance, rates, given);
        stages.values().forEach(flows -> {
            filling.riseTogether(new Group[] {new Group(flows, 1, 0, 1)}, ONE_PARENT, instance.need, wanted);
            filling.riseAlone(flows, instance.need, wanted);
        });
    }
}

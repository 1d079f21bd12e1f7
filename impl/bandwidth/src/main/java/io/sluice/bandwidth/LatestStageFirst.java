// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.bandwidth.ProgressiveFilling.Group;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Who goes first inside an application: of what it has of each link, flows of a later stage get what they want before
 * those of an earlier one. So nothing is carried part of the way to wait there, and what exceeds the network waits at
 * the sources. In the theory of queues this is last buffer first served (Lu and Kumar, Distributed scheduling based on
 * due dates and buffer priorities, IEEE Transactions on Automatic Control 36(12), 1991).
 *
 * <p>Flows of one stage progress together, as those that are joined do, until a link stops them; what is left then goes
 * to them one by one, up to their demand. An application of one stage, or with a flow that has no report, stays as it
 * is: nobody knows what such a flow wants.
 */
final class LatestStageFirst {
    private static final double[] ALONE = {1};

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

    /** The active flows of an application by their stage, the last first; nothing if one has no report. */
    private SortedMap<Integer, int[]> stages(final int application) {
        final var stages = new TreeMap<Integer, int[]>(Collections.reverseOrder());
        final int[] flows = IntStream.of(instance.activeFlows())
            .filter(flow -> instance.applicationOf[flow] == application).toArray();
        if (IntStream.of(flows).allMatch(flow -> instance.demand[flow] < Double.POSITIVE_INFINITY)) {
            IntStream.of(flows).map(flow -> instance.flows.get(flow).stage()).distinct().forEach(stage ->
                stages.put(stage, IntStream.of(flows).filter(flow -> instance.flows.get(flow).stage() == stage)
                    .toArray()));
        }
        return stages;
    }

    private void reorder(final SortedMap<Integer, int[]> stages) {
        final var had = new double[instance.available.length];
        stages.values().stream().flatMapToInt(IntStream::of).forEach(flow -> {
            for (int i = 0; i < instance.linksOf[flow].length; i++) {
                had[instance.linksOf[flow][i]] += (rates[flow] - instance.guarantee[flow]) * instance.partsOf[flow][i];
            }
            rates[flow] = instance.guarantee[flow];
        });
        final var filling = new ProgressiveFilling(instance, rates, had);
        stages.values().forEach(flows ->
            filling.riseTogether(new Group[] {new Group(flows, 1, 0, 1)}, ALONE, instance.need, wanted));
        stages.values().forEach(flows -> filling.riseAlone(flows, instance.need, wanted));
    }
}

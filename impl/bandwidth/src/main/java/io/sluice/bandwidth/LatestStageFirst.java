// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.bandwidth.ProgressiveFilling.Group;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
        if (!anyStaged(instance)) {
            return false;
        }
        final var order = new LatestStageFirst(instance, rates);
        final var staged = order.stages().filter(stages -> stages.size() > 1).toList();
        staged.forEach(order::reorder);
        return !staged.isEmpty();
    }

    /** Whether flows of one application, side by side in the round, differ in their stage. */
    private static boolean anyStaged(final Instance instance) {
        return IntStream.range(1, instance.flows.size())
            .anyMatch(flow -> instance.applicationOf[flow] == instance.applicationOf[flow - 1]
                && instance.flows.get(flow).stage() != instance.flows.get(flow - 1).stage());
    }

    /** Of each application, its active flows that have a report by their stage, the last first. */
    private Stream<Collection<List<Integer>>> stages() {
        final var stagesOf = new TreeMap<Integer, SortedMap<Integer, List<Integer>>>();
        for (final int flow : instance.activeFlows()) {
            if (instance.demand[flow] < Double.POSITIVE_INFINITY) {
                stagesOf.computeIfAbsent(instance.applicationOf[flow], app -> new TreeMap<>(Collections.reverseOrder()))
                    .computeIfAbsent(instance.flows.get(flow).stage(), stage -> new ArrayList<>()).add(flow);
            }
        }
        return stagesOf.values().stream().map(SortedMap::values);
    }

    private void reorder(final Collection<List<Integer>> stages) {
        final var given = new double[instance.available.length];
        stages.forEach(flows -> flows.forEach(flow -> {
            final double guarantee = instance.guarantee[flow];
            final double kept = Math.min(wanted[flow], guarantee + (rates[flow] - guarantee) * KEPT);
            for (int i = 0; i < instance.linksOf[flow].length; i++) {
                given[instance.linksOf[flow][i]] += (rates[flow] - kept) * instance.partsOf[flow][i];
            }
            rates[flow] = kept;
        }));
        final var filling = new ProgressiveFilling(instance, rates, given);
        stages.forEach(stage -> {
            final int[] flows = stage.stream().mapToInt(Integer::intValue).toArray();
            filling.riseTogether(new Group[] {new Group(flows, 1, 0, 1)}, ONE_PARENT, instance.need, wanted);
            filling.riseAlone(flows, instance.need, wanted);
        });
    }
}

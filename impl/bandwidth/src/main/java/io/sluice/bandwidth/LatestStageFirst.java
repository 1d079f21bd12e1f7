// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.bandwidth.ProgressiveFilling.Group;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Who goes first inside an application: of what it has of each link, flows of a later stage get what they want before
 * those of an earlier one, so that what has come far does not wait beside what has just begun. In the theory of queues
 * this is last buffer first served (Lu and Kumar, Distributed scheduling based on due dates and buffer priorities, IEEE
 * Transactions on Automatic Control 36(12), 1991).
 *
 * <p>Each flow keeps {@link Instance#least}, so that none starves. Flows of one stage progress together, as those
 * that are joined do, until a link stops them; then each goes on by itself, up to its demand. A flow without a report
 * stays as it is: nobody knows what it wants.
 *
 * <p>What a receiver can't pass on only waits there, while others have nothing to do. So a flow counts, beside those of
 * its stage, by the part that the flows of later stages have of what they want which begin where it ends; a twentieth
 * at least.
 *
 * <p>What a flow wants is what was measured. The floor of {@link Instance#demand}, part of a mean that grows with the
 * queues of the first flows, would take from these what the later ones have no use for.
 */
final class LatestStageFirst {
    /** What a flow counts beside others of its stage, though its receiver can pass nothing on. */
    private static final double LEAST_PASSED = 0.05;

    private static final double[] ONE_PARENT = {1};

    private final Instance instance;
    private final double[] rates;
    private final double[] wanted;
    /** Of each link, what nobody uses, as much as each application of several stages that passes it may take. */
    private final double[] free;
    /** Of each link, what flows of the application may have of it beyond what they keep. */
    private final double[] given;
    private final ProgressiveFilling filling;
    private final double[] needs;

    /** What flows want that begin at one place, and what they have of it. */
    private record Onward(double wanted, double had) {
        double part() {
            return wanted > 0 ? Math.min(1, had / wanted) : 1;
        }

        Onward and(final Onward other) {
            return new Onward(wanted + other.wanted, had + other.had);
        }
    }

    private LatestStageFirst(final Instance instance, final double[] rates, final double[] free) {
        this.instance = instance;
        this.rates = rates;
        this.free = free;
        wanted = IntStream.range(0, rates.length)
            .mapToDouble(flow -> Math.max(instance.least[flow],
                Math.min(instance.toSend[flow], instance.wanted[flow]))).toArray();
        given = new double[instance.available.length];
        filling = new ProgressiveFilling(instance, rates, given);
        needs = instance.need.clone();
    }

    /**
     * Changes rates inside applications.
     *
     * @param applications with their active flows
     * @param rates at least {@link Instance#least}; afterwards no application has more of a link than before but for
     *     its part of what nobody used
     * @return needs by which flows share what is left: less than before if a receiver can't pass on; empty if no
     *     application has several stages
     */
    static Optional<double[]> reorder(final Instance instance, final Group[] applications, final double[] rates) {
        final var staged = Arrays.stream(applications).map(Group::flows).filter(flows -> differ(instance, flows))
            .map(flows -> stages(instance, flows)).filter(stages -> stages.length > 1).toList();
        if (staged.isEmpty()) {
            return Optional.empty();
        }
        final var order = new LatestStageFirst(instance, rates, freeForEach(instance, staged, rates));
        staged.forEach(order::reorder);
        return Optional.of(order.needs);
    }

    /** Of each link, what nobody uses, in equal parts for those of several stages that pass it. */
    private static double[] freeForEach(final Instance instance, final List<int[][]> staged, final double[] rates) {
        final var passing = new int[instance.available.length];
        final var passed = new NumberSet(passing.length);
        for (final var stages : staged) {
            for (final int[] stage : stages) {
                for (final int flow : stage) {
                    passed.addAll(instance.crossings.linksOf(flow));
                }
            }
            for (int i = 0; i < passed.count(); i++) {
                passing[passed.get(i)]++;
            }
            passed.clear();
        }
        final double[] free = instance.room(rates);
        Arrays.setAll(free, link -> passing[link] == 0 ? 0 : free[link] / passing[link]);
        return free;
    }

    private static boolean differ(final Instance instance, final int[] flows) {
        final int stage = number(instance, flows[0]);
        return IntStream.of(flows).anyMatch(flow -> number(instance, flow) != stage);
    }

    /** Flows that have a report, by their stage, the last first. */
    private static int[][] stages(final Instance instance, final int[] flows) {
        final int[] known = IntStream.of(flows).filter(flow -> instance.demand[flow] < Double.POSITIVE_INFINITY)
            .toArray();
        return IntStream.of(known).map(flow -> -number(instance, flow)).distinct().sorted()
            .mapToObj(stage -> IntStream.of(known).filter(flow -> -number(instance, flow) == stage).toArray())
            .toArray(int[][]::new);
    }

    private static int number(final Instance instance, final int flow) {
        return instance.flows.get(flow).stage().number();
    }

    private void reorder(final int[][] stages) {
        System.arraycopy(free, 0, given, 0, given.length);
        for (final int[] stage : stages) {
            for (final int flow : stage) {
                give(flow);
            }
        }
        final var onward = new HashMap<String, Onward>();
        for (final int[] stage : stages) {
            for (final int flow : stage) {
                final var there = onward.get(instance.flows.get(flow).stage().to());
                needs[flow] *= there == null ? 1 : Math.max(LEAST_PASSED, there.part());
            }
            filling.riseTogether(new Group[] {new Group(stage, 1, 0, 1)}, ONE_PARENT, needs, wanted);
            filling.riseAlone(stage, needs, wanted);
            for (final int flow : stage) {
                onward.merge(instance.flows.get(flow).stage().from(), new Onward(wanted[flow], rates[flow]),
                    Onward::and);
            }
        }
    }

    /** Has a flow give what it does not keep. */
    private void give(final int flow) {
        instance.crossings.add(flow, rates[flow] - instance.least[flow], given);
        rates[flow] = instance.least[flow];
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import io.sluice.engine.storm.TaskPair;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Tells an operator that the controller can't hold flows of an application to their rates: no switch has seen the
 * addresses of their hosts, for instance. A flow that has just begun is pending for moments, so that only those count
 * which were pending in every look for as long as the patience says.
 *
 * <p>There is a line when these have other reasons than those told last, not sooner after it than the patience says,
 * and a line when no flow is pending any more. Not thread-safe.
 */
final class PendingWatch {
    private final String application;
    private final long patienceNs;
    private final Consumer<String> warn;
    private final Consumer<String> inform;
    private final Map<TaskPair, Long> sinceNs = new HashMap<>();
    private Set<String> told = Set.of();
    private long toldNs;
    private long lookedNs;

    /**
     * Has not looked yet.
     *
     * @param application as the controller knows it
     * @param patienceNs how long a flow has to be pending; after a gap between two looks of more than that the time
     *     begins anew
     * @param warn takes a line about flows that are pending
     * @param inform takes a line when none is any more
     */
    PendingWatch(final String application, final long patienceNs, final Consumer<String> warn,
            final Consumer<String> inform) {
        this.application = application;
        this.patienceNs = patienceNs;
        this.warn = warn;
        this.inform = inform;
    }

    /** Looks at all that the controller says of the flows; if it says nothing, nothing is concluded. */
    void look(final Map<TaskPair, Allocation> allocations, final long nowNs) {
        if (allocations.isEmpty()) {
            return;
        }
        if (nowNs - lookedNs > patienceNs) {
            sinceNs.clear();
        }
        lookedNs = nowNs;
        final var pending = new HashMap<TaskPair, String>();
        allocations.forEach((flow, given) -> given.pending().ifPresent(reason -> pending.put(flow, reason)));
        sinceNs.keySet().retainAll(pending.keySet());
        pending.keySet().forEach(flow -> sinceNs.putIfAbsent(flow, nowNs));
        pending.keySet().removeIf(flow -> nowNs - sinceNs.get(flow) < patienceNs);
        final var reasons = pending.values().stream().collect(Collectors.toCollection(TreeSet::new));
        if (sinceNs.isEmpty() && !told.isEmpty()) {
            inform.accept("all flows of " + application + " are held to their rates again");
            told = Set.of();
        } else if (!reasons.isEmpty() && !reasons.equals(told) && (told.isEmpty() || nowNs - toldNs >= patienceNs)) {
            warn.accept(pending.size() + " of " + allocations.size() + " flows of " + application
                + " are not held to their rates, tuples go on: " + reasons.first()
                + (reasons.size() == 1 ? "" : " (1 of " + reasons.size() + " reasons; GET /flows has all)"));
            told = reasons;
            toldNs = nowNs;
        }
    }
}

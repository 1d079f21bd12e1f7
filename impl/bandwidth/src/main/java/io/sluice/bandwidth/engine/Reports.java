// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.FlowReport;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What engines told of their flows last, smoothed. A report counts for three intervals. In each of the ten after them
 * it moves a third of the way to the mean of its application, so that rates don't turn over when an engine falls
 * silent; then, or at once if its flow was idle, it counts for nothing.
 */
final class Reports {
    /** Part of a new report in what is kept. */
    private static final int NEW_PPM = 500_000;
    private static final int CURRENT_INTERVALS = 3;
    private static final int DECAY_INTERVALS = 10;
    private static final double DECAY = 2.0 / 3;

    private final Map<ApplicationId, Map<FlowId, Told>> told = new HashMap<>();

    private record Told(FlowReport report, long intervalUs, long atNs) {
        Told {
            if (intervalUs < 1) {
                throw new IllegalArgumentException("interval reported is not positive: " + intervalUs);
            }
        }

        /** The intervals that have begun since it was current; 0 while it is. */
        long overdue(final long roundUs, final long nowNs) {
            final long intervalNs = Math.max(roundUs, intervalUs) * 1000;
            return Math.max(0, Math.ceilDiv(nowNs - atNs, intervalNs) - CURRENT_INTERVALS);
        }

        boolean counts(final long roundUs, final long nowNs) {
            final long overdue = overdue(roundUs, nowNs);
            return overdue == 0 || overdue <= DECAY_INTERVALS && !report.idle();
        }
    }

    /** Takes a report of the last {@code intervalUs}, rounds being {@code roundUs} apart. */
    void take(final FlowId flow, final FlowReport report, final long intervalUs, final long roundUs,
            final long nowNs) {
        final var ofApplication = told.computeIfAbsent(flow.application(), first -> new HashMap<>());
        final var earlier = ofApplication.get(flow);
        final var smooth = earlier == null || !earlier.counts(roundUs, nowNs) ? report
            : report.smoothed(earlier.report().over(earlier.intervalUs(), intervalUs), NEW_PPM);
        ofApplication.put(flow, new Told(smooth, intervalUs, nowNs));
    }

    /** The report of a flow, as if it spoke of {@code intervalUs}. */
    Optional<FlowReport> of(final FlowId flow, final long intervalUs, final long nowNs) {
        final var last = told.getOrDefault(flow.application(), Map.of()).get(flow);
        if (last == null || !last.counts(intervalUs, nowNs)) {
            return Optional.empty();
        }
        final long overdue = last.overdue(intervalUs, nowNs);
        final var report = last.report().over(last.intervalUs(), intervalUs);
        return Optional.of(overdue == 0 ? report : report.smoothed(mean(flow.application(), intervalUs, nowNs),
            (int) Math.round(Math.pow(DECAY, overdue) * FlowReport.WHOLE_PPM)));
    }

    /** Whether anything is told of the flows of an application, rounds being {@code intervalUs} apart. */
    Reporting of(final ApplicationId application, final long intervalUs, final long nowNs) {
        final var last = told.getOrDefault(application, Map.of()).values();
        return last.isEmpty() ? Reporting.NONE
            : last.stream().anyMatch(each -> each.overdue(intervalUs, nowNs) == 0) ? Reporting.CURRENT
            : Reporting.SILENT;
    }

    /** Forgets all other flows. */
    void keep(final Collection<FlowId> flows) {
        told.values().forEach(ofApplication -> ofApplication.keySet().retainAll(flows));
        told.values().removeIf(Map::isEmpty);
    }

    /** Of the flows that were not idle, and of which something counts. */
    private FlowReport mean(final ApplicationId application, final long intervalUs, final long nowNs) {
        return FlowReport.mean(told.get(application).values().stream()
            .filter(last -> !last.report().idle() && last.counts(intervalUs, nowNs))
            .map(last -> last.report().over(last.intervalUs(), intervalUs)).toList());
    }
}

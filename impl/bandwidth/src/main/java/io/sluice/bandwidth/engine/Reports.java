// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.FlowReport;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What engines told of their flows last, smoothed; forgotten when it is older than three intervals. */
final class Reports {
    /** Part of a new report in what is kept. */
    private static final int NEW_PPM = 500_000;
    private static final int INTERVALS = 3;

    private final Map<FlowId, Told> told = new HashMap<>();

    private record Told(FlowReport report, long intervalUs, long atNs) { }

    /** Takes a report of the last {@code intervalUs}. */
    void take(final FlowId flow, final FlowReport report, final long intervalUs, final long nowNs) {
        final var earlier = told.get(flow);
        final var smooth = earlier == null ? report
            : report.smoothed(earlier.report().over(earlier.intervalUs(), intervalUs), NEW_PPM);
        told.put(flow, new Told(smooth, intervalUs, nowNs));
    }

    /** The report of a flow, as if it spoke of {@code intervalUs}. */
    Optional<FlowReport> of(final FlowId flow, final long intervalUs, final long nowNs) {
        return Optional.ofNullable(told.get(flow))
            .filter(last -> nowNs - last.atNs() <= INTERVALS * Math.max(intervalUs, last.intervalUs()) * 1000)
            .map(last -> last.report().over(last.intervalUs(), intervalUs));
    }

    /** Forgets all other flows. */
    void keep(final Collection<FlowId> flows) {
        told.keySet().retainAll(flows);
    }
}

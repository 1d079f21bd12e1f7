// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.Throughput;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What applications got so far: what has passed of their flows, interval by interval. */
final class History {
    private final FlowTotals totals;
    private final Map<ApplicationId, Throughput> throughputs = new HashMap<>();
    private final Map<FlowId, Long> passedBytes = new HashMap<>();
    private long notedNs;

    History(final FlowTotals totals, final long nowNs) {
        this.totals = totals;
        notedNs = nowNs;
    }

    /**
     * Notes what has passed since the last time, unless that is less than {@code intervalUs} ago: a round that is asked
     * for amid an interval tells nothing of it.
     *
     * @param flows all there are
     */
    void note(final Collection<FlowId> flows, final long intervalUs, final long nowNs) {
        flows.forEach(flow -> totals.of(flow).ifPresent(total ->
            passedBytes.putIfAbsent(flow, total.passed().bytes())));
        if (!isOver(intervalUs, nowNs)) {
            return;
        }
        final long sinceUs = sinceUs(nowNs);
        notedNs = nowNs;
        final var more = new HashMap<ApplicationId, Long>();
        flows.forEach(flow -> more.merge(flow.application(), since(flow), Long::sum));
        more.forEach((application, bytes) -> throughputs.put(application,
            throughputs.getOrDefault(application, Throughput.NONE).plus(bytes, sinceUs)));
    }

    /** Whether {@link #note} would note now what has passed. */
    boolean isOver(final long intervalUs, final long nowNs) {
        return sinceUs(nowNs) >= intervalUs;
    }

    private long sinceUs(final long nowNs) {
        return (nowNs - notedNs) / 1000;
    }

    /** Forgets all other flows, and applications that have none of these. */
    void keep(final Collection<FlowId> flows) {
        passedBytes.keySet().retainAll(flows);
        throughputs.keySet().retainAll(flows.stream().map(FlowId::application).collect(Collectors.toSet()));
    }

    Map<ApplicationId, Throughput> throughputs() {
        return throughputs;
    }

    /** Bytes of the flow that have passed since the last time; none as long as its switch has not told of it. */
    private long since(final FlowId flow) {
        return totals.of(flow).map(total -> {
            final long now = total.passed().bytes();
            return now - passedBytes.put(flow, now);
        }).orElse(0L);
    }
}

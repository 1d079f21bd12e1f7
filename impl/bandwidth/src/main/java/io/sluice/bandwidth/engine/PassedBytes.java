// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.FlowId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many bytes of layer-2 frames flows have sent into the network, and how many of these have passed, as the entries
 * count them that their packets meet first. An entry counts before its meter drops: what passes a meter is no more than
 * its rate lets by.
 */
final class PassedBytes {
    private static final double BYTES_PER_KILOBIT = 125;
    private static final double NS_PER_S = 1e9;

    private final Map<FlowId, Count> counts = new HashMap<>();

    /**
     * What is known of a flow.
     *
     * @param counted by its entry
     * @param sent since it was first counted
     * @param passed likewise
     */
    record Count(long counted, long atNs, double sent, double passed) { }

    /**
     * Takes what the entry of a flow has counted by now.
     *
     * @param kilobits rate of its meter, in kilobits per second; {@link Metering#UNMETERED} without one
     */
    void take(final FlowId flow, final long counted, final long kilobits, final long nowNs) {
        final var before = counts.get(flow);
        if (before == null || counted < before.counted()) {
            counts.put(flow, before == null ? new Count(counted, nowNs, 0, 0)
                : new Count(counted, nowNs, before.sent(), before.passed()));
            return;
        }
        final long sent = counted - before.counted();
        final double most = kilobits == Metering.UNMETERED ? Double.POSITIVE_INFINITY
            : kilobits * BYTES_PER_KILOBIT * (nowNs - before.atNs()) / NS_PER_S;
        counts.put(flow, new Count(counted, nowNs, before.sent() + sent, before.passed() + Math.min(most, sent)));
    }

    Optional<Count> of(final FlowId flow) {
        return Optional.ofNullable(counts.get(flow));
    }

    /** Forgets all other flows. */
    void keep(final Collection<FlowId> flows) {
        counts.keySet().retainAll(flows);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.FlowId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many bytes of layer-2 frames flows have brought into the network, as the entries count them that their packets
 * pass first. An entry counts before its meter drops, so that a metered flow has passed no more than its rate lets by.
 */
final class PassedBytes {
    private static final double BYTES_PER_KILOBIT = 125;
    private static final double NS_PER_S = 1e9;

    private final Map<FlowId, Count> counts = new HashMap<>();

    /**
     * What is known of a flow.
     *
     * @param counted by its entry
     * @param passed since it was first counted
     */
    record Count(long counted, long atNs, double passed) { }

    /**
     * Takes what the entry of a flow has counted by now.
     *
     * @param kilobits rate of its meter, in kilobits per second; {@link Metering#UNMETERED} without one
     */
    void take(final FlowId flow, final long counted, final long kilobits, final long nowNs) {
        final var before = counts.get(flow);
        if (before == null || counted < before.counted()) {
            counts.put(flow, new Count(counted, nowNs, before == null ? 0 : before.passed()));
            return;
        }
        final double most = kilobits == Metering.UNMETERED ? Double.POSITIVE_INFINITY
            : kilobits * BYTES_PER_KILOBIT * (nowNs - before.atNs()) / NS_PER_S;
        counts.put(flow, new Count(counted, nowNs, before.passed() + Math.min(most, counted - before.counted())));
    }

    Optional<Count> of(final FlowId flow) {
        return Optional.ofNullable(counts.get(flow));
    }

    /** Forgets all other flows. */
    void keep(final Collection<FlowId> flows) {
        counts.keySet().retainAll(flows);
    }
}

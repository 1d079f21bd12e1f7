// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.Enforcer.Meter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Flows whose hosts or path are lost. Their meters stay, and for a minute what these let pass is nobody else's, unless
 * they had nothing to send; after that it counts as cross traffic, if it is there.
 */
final class OutOfSight {
    private static final long KEPT_NS = 60_000_000_000L;

    private final Map<FlowId, Long> sinceNs = new HashMap<>();

    /**
     * What meters let pass over a link, in bit/s.
     *
     * @param guaranteed the part that flows have guarantees of
     * @param rest the other part
     * @param flows how many these are
     */
    record Kept(long guaranteed, long rest, int flows) {
        static final Kept NOTHING = new Kept(0, 0, 0);

        private Kept plus(final Kept other) {
            return new Kept(guaranteed + other.guaranteed, rest + other.rest, flows + other.flows);
        }
    }

    /** Whether a flow is out of sight, and keeps what its meter lets pass. */
    boolean keeps(final FlowId flow, final long nowNs) {
        return sinceNs.containsKey(flow) && nowNs - sinceNs.get(flow) < KEPT_NS;
    }

    /**
     * Notes who is out of sight now; returns what they keep, by link. One that is spread over several paths keeps its
     * whole rate on each.
     *
     * @param before what flows had when all were seen that are new among them
     * @param flows the configuration of all
     */
    Map<String, Kept> look(final Set<FlowId> missing, final Map<FlowId, FlowRate> before,
            final Map<FlowId, FlowConfig> flows, final Function<FlowId, Optional<Meter>> meters, final long nowNs) {
        sinceNs.keySet().retainAll(missing);
        missing.forEach(flow -> sinceNs.computeIfAbsent(flow, lost -> {
            final var rate = before.get(lost);
            return rate != null && rate.idle() ? nowNs - KEPT_NS : nowNs;
        }));
        final var kept = new HashMap<String, Kept>();
        sinceNs.keySet().stream().filter(flow -> keeps(flow, nowNs)).forEach(flow -> meters.apply(flow)
            .filter(meter -> meter.metering().isMetered() && !meter.metering().isLeft())
            .ifPresent(meter -> {
                final long rate = meter.metering().kilobits() * 1000;
                final long guaranteed = Math.min(rate, flows.get(flow).guarantee().bitsPerSecond());
                meter.links().forEach(link ->
                    kept.merge(link, new Kept(guaranteed, rate - guaranteed, 1), Kept::plus));
            }));
        return kept;
    }

    /** Bit/s of guarantees of flows over the links that they passed when their hosts and path were last known. */
    static Map<String, Long> guaranteed(final Set<FlowId> missing, final Map<FlowId, FlowConfig> flows,
            final Function<FlowId, Optional<Meter>> meters) {
        final var guaranteed = new HashMap<String, Long>();
        missing.forEach(flow -> meters.apply(flow).ifPresent(meter -> meter.links().forEach(link ->
            guaranteed.merge(link, flows.get(flow).guarantee().bitsPerSecond(), Long::sum))));
        return guaranteed;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Flows whose hosts or path are lost. Their meters stay, and for a minute what these let pass is nobody else's, unless
 * they had nothing to send; after that it counts as cross traffic, if it is there.
 */
final class OutOfSight {
    private static final long KEPT_NS = 60_000_000_000L;

    private final Map<FlowId, Lost> lost = new HashMap<>();

    /**
     * A flow out of sight.
     *
     * @param parts of it that passed each link before; nothing if that is not known
     * @param waived its guarantee did not count
     */
    private record Lost(long sinceNs, Map<String, Double> parts, boolean waived) { }

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

    /** The links on which a flow keeps what its meter lets pass. */
    Set<String> links(final FlowId flow, final long nowNs) {
        return keeps(flow, nowNs) ? lost.get(flow).parts().keySet() : Set.of();
    }

    private boolean keeps(final FlowId flow, final long nowNs) {
        return lost.containsKey(flow) && nowNs - lost.get(flow).sinceNs() < KEPT_NS;
    }

    /**
     * Notes who is out of sight now; returns what they keep, by link.
     *
     * @param before when all were seen that are new among them
     * @param rates what they had then
     * @param flows the configuration of all
     */
    Map<String, Kept> look(final Set<FlowId> missing, final Situation before, final Map<FlowId, FlowRate> rates,
            final Map<FlowId, FlowConfig> flows, final Function<FlowId, Optional<Declaration>> declarations,
            final long nowNs) {
        lost.keySet().retainAll(missing);
        missing.forEach(flow -> lost.computeIfAbsent(flow, added -> {
            final var rate = rates.get(added);
            return new Lost(rate != null && rate.idle() ? nowNs - KEPT_NS : nowNs, parts(before, added, declarations),
                before.waived().containsKey(added));
        }));
        final var kept = new HashMap<String, Kept>();
        missing.stream().filter(flow -> keeps(flow, nowNs)).forEach(flow -> held(flow, flows, declarations)
            .filter(meter -> meter.metering().isMetered() && !meter.metering().isLeft())
            .ifPresent(meter -> {
                final double rate = meter.metering().kilobits() * 1000;
                final double guaranteed = lost.get(flow).waived() ? 0
                    : Math.min(rate, flows.get(flow).guarantee().bitsPerSecond());
                lost.get(flow).parts().forEach((link, part) -> kept.merge(link, new Kept(
                    (long) Math.ceil(guaranteed * part), (long) Math.ceil((rate - guaranteed) * part), 1), Kept::plus));
            }));
        return kept;
    }

    /**
     * Bit/s of guarantees of flows over the links that they passed when their hosts and path were last known.
     *
     * @param before the situation of the last round
     */
    Map<String, Double> guaranteed(final Set<FlowId> missing, final Situation before,
            final Map<FlowId, FlowConfig> flows, final Function<FlowId, Optional<Declaration>> declarations) {
        final var guaranteed = new HashMap<String, Double>();
        missing.stream().filter(flow -> held(flow, flows, declarations).isPresent()).forEach(flow ->
            (lost.containsKey(flow) ? lost.get(flow).parts() : parts(before, flow, declarations))
                .forEach((link, part) ->
                    guaranteed.merge(link, flows.get(flow).guarantee().bitsPerSecond() * part, Double::sum)));
        return guaranteed;
    }

    /** By its last way, or that of its meter, which may have been another flow's. */
    private static Map<String, Double> parts(final Situation before, final FlowId flow,
            final Function<FlowId, Optional<Declaration>> declarations) {
        return Optional.ofNullable(before.ways().get(flow)).map(Way.Known::parts).orElseGet(() ->
            declarations.apply(flow).map(meter -> meter.links().stream()
                .collect(Collectors.toMap(Function.identity(), link -> 1.0))).orElse(Map.of()));
    }

    /** What holds the packets of a flow; it may have others now. */
    private static Optional<Declaration> held(final FlowId flow, final Map<FlowId, FlowConfig> flows,
            final Function<FlowId, Optional<Declaration>> declarations) {
        return declarations.apply(flow).filter(meter -> meter.metering().packets().equals(flows.get(flow).packets()));
    }
}

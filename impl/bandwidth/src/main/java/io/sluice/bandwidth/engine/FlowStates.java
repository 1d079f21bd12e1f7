// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.Allocation;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.FlowState.MeterState;
import io.sluice.bandwidth.engine.FlowState.Passage;
import io.sluice.bandwidth.engine.FlowTotals.Total;
import io.sluice.bandwidth.engine.Priorities.Queue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Tells of flows what they have, what became of their packets, and what keeps them from their rates. */
record FlowStates(Enforcer enforcer, FlowTotals totals, QueueEntries queueEntries, PriorityQueues priorityQueues) {
    /**
     * What the last round came to.
     *
     * @param faults flows that can't be held to a rate as they are written, each with the reason
     * @param refusal why it was refused, if it was
     * @param rates by the last round that was not
     * @param queues that packets were marked for by that round, in the order of their levels
     * @param acted flows of which a switch is to do more than to count them
     */
    record Decided(Map<FlowId, String> faults, Optional<Allocation.Refused> refusal, Situation situation,
            Map<FlowId, FlowRate> rates, List<Queue> queues, Set<FlowId> acted) {
        private OptionalInt level(final Declaration held) {
            return held.metering().mark().stream().mapToInt(queues::indexOf).filter(level -> level >= 0).findFirst();
        }
    }

    FlowState of(final FlowId id, final FlowConfig flow, final Decided decided) {
        final var total = totals.of(id);
        final var acting = enforcer.declaration(id).filter(held -> held.metering().isActing());
        final var meter = acting.filter(held -> held.metering().isMetered() && !held.metering().isLeft())
            .map(held -> meterState(held, total));
        return new FlowState(id, flow, Optional.ofNullable(decided.rates().get(id)),
            acting.map(held -> held.metering().ingress().switchId()), meter,
            acting.map(decided::level).orElseGet(OptionalInt::empty),
            total.map(counted -> new Passage(enforcer.declaration(id).flatMap(held -> counted.rate()),
                counted.dropped())), pending(id, acting, decided));
    }

    private static MeterState meterState(final Declaration held, final Optional<Total> total) {
        final var metering = held.metering();
        return new MeterState(held.meterNumber(),
            held.meterNumber().isEmpty() ? OptionalLong.empty()
                : total.map(counted -> counted.meterId(held.number())).orElse(OptionalLong.empty()),
            metering.isQueued() ? OptionalLong.of(Metering.queueNumber(held.number())) : OptionalLong.empty(),
            metering.kilobits());
    }

    private Optional<String> pending(final FlowId id, final Optional<Declaration> acting, final Decided decided) {
        final var refusal = decided.refusal();
        return Optional.ofNullable(decided.faults().get(id))
            .or(() -> refusal.filter(refused -> refused.flows().contains(id)).map(Allocation.Refused::reason))
            .or(() -> Optional.ofNullable(decided.situation().missing().get(id)))
            .or(() -> Optional.ofNullable(decided.situation().waived().get(id)))
            .or(() -> refusal.filter(refused -> !decided.rates().containsKey(id)).map(Allocation.Refused::reason))
            .or(() -> acting.isPresent() ? acting.orElseThrow().pending()
                .or(() -> refusal.filter(refused -> hasMoved(id, acting.orElseThrow(), decided))
                    .map(Allocation.Refused::reason))
                .or(() -> unordered(id, acting.orElseThrow(), decided))
                : refusal.map(Allocation.Refused::reason)
                    .or(() -> enforcer.declaration(id).flatMap(Declaration::pending))
                    .or(() -> Optional.of(enforcer.isNumberless(id)
                        ? "no number is left for it or its meter: there are 65536; remove flows"
                        : "the round that declares it is not over yet"))
                    .filter(reason -> decided.acted().contains(id)));
    }

    /** Its packets enter elsewhere than where they are held. */
    private static boolean hasMoved(final FlowId id, final Declaration held, final Decided decided) {
        final var way = decided.situation().ways().get(id);
        return way != null && !way.ingress().equals(held.metering().ingress());
    }

    /** What keeps its mark from ordering a flow's packets. */
    private Optional<String> unordered(final FlowId id, final Declaration held, final Decided decided) {
        return held.metering().mark().flatMap(mark -> Optional.ofNullable(decided.situation().ways().get(id)))
            .flatMap(way -> queueEntries.pending(way).or(() -> priorityQueues.fault(way)));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Pipeline;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.FlowTotals.Reading;
import io.sluice.bandwidth.engine.Patience.Question;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Reads what switches have counted of flows, where these enter the network. */
final class FlowCounters {
    private final Environment environment;
    private final Enforcer enforcer;
    private final FlowTotals totals;
    /** Counters may take a switch longer than all else, which then need not wait. */
    private final Patience patience;
    /** What each switch was asked last. */
    private final Map<SwitchId, Question> asked = new HashMap<>();

    FlowCounters(final Environment environment, final Enforcer enforcer, final FlowTotals totals) {
        patience = environment.newPatience();
        this.environment = environment;
        this.enforcer = enforcer;
        this.totals = totals;
    }

    /**
     * Asks all switches that owe no answer; completes when each has answered, or has not in time, which leaves the sums
     * of its flows as they were, and their rates unknown. It answers before it carries out what is sent to it later, so
     * that what it says is of the present meters.
     */
    CompletionStage<Void> read() {
        final var ingresses = enforcer.ingresses();
        asked.keySet().retainAll(ingresses);
        ingresses.forEach(switchId -> asked.compute(switchId, (id, last) ->
            last != null && last.isOpen() ? last : ask(id)));
        return patience.await(List.copyOf(asked.values()));
    }

    private Question ask(final SwitchId switchId) {
        final var flows = enforcer.on(switchId);
        return new Question(Set.of(switchId), read(switchId, flows),
            () -> enforcer.on(switchId).keySet().forEach(totals::lose));
    }

    private CompletionStage<Void> read(final SwitchId switchId, final Map<FlowId, Declaration> flows) {
        final var claim = environment.switches().claim();
        return claim.traffic(switchId, Pipeline.METER).thenCombine(claim.metered(switchId), Counts::new)
            .exceptionally(failure -> new Counts(Map.of(), Map.of()))
            .thenAcceptAsync(counts -> {
                final long nowNs = environment.nowNs().getAsLong();
                enforcer.on(switchId).forEach((flow, now) -> Optional.ofNullable(flows.get(flow))
                    .filter(meter -> meter.number() == now.number()).flatMap(meter -> counts.of(meter, nowNs))
                    .ifPresentOrElse(reading -> totals.take(flow, reading), () -> totals.lose(flow)));
            }, environment.loop());
    }

    /** By the numbers of objects and of their meters. */
    private record Counts(Map<Long, Traffic> sent, Map<Integer, Metered> metered) {
        /** Nothing of a meter of which nobody knows whether it is the one before. */
        Optional<Reading> of(final Declaration meter, final long nowNs) {
            return Optional.ofNullable(sent.get((long) meter.number()))
                .flatMap(counted -> meter.version().map(version -> new Reading(nowNs, meter.number(), counted, version,
                    meter.metering().isDropping(),
                    meter.meterNumber().stream().mapToObj(metered::get).filter(Objects::nonNull).findFirst(),
                    meter.metering().isQueued() && meter.pending().isEmpty()
                        ? OptionalLong.of(meter.metering().kilobits() * 1000 / Byte.SIZE) : OptionalLong.empty())));
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.FlowId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Leaves meters as they are whose rates would hardly change, so that noise in reports and loads does not have them
 * written each round. A meter stays if its rate is within a hundredth of what a link leaves its flow, and keeps the
 * flow's guarantee and limit. If a link can't carry that, all meters on it fall that should: what else stays there has
 * less than its flow was given, so that no link is overfull.
 */
record DeadBand(Situation situation) {
    private static final long HUNDREDTH = 100;

    /**
     * The targets, with the meters that stay in place of those that would hardly differ.
     *
     * @param rates of the same flows
     * @param held what each flow has
     */
    Map<FlowId, Target> applied(final Map<FlowId, Target> targets, final Collection<FlowRate> rates,
            final Function<FlowId, Optional<Declaration>> held) {
        final var applied = new LinkedHashMap<>(targets);
        rates.forEach(rate -> held.apply(rate.flow()).ifPresent(meter -> applied.computeIfPresent(rate.flow(),
            (flow, target) -> mayStay(meter, target, rate) ? target.at(meter.metering().kilobits()) : target)));
        final var overfull = overfull(applied, rates);
        applied.replaceAll((flow, target) -> Collections.disjoint(overfull, target.links()) ? target
            : lesser(target, targets.get(flow)));
        return applied;
    }

    private boolean mayStay(final Declaration meter, final Target target, final FlowRate rate) {
        final long held = meter.metering().kilobits();
        final var flow = situation.flows().get(rate.flow());
        return meter.pending().isEmpty() && meter.metering().isMetered()
            && meter.metering().equals(target.metering().at(held))
            && target.metering().mark().isEmpty() && rate.bindingLink().isPresent()
            && Math.abs(held - target.metering().kilobits()) <= held / HUNDREDTH
            && held >= Metering.kilobits(flow.guarantee().bitsPerSecond())
            && flow.limit().stream().allMatch(limit -> held <= Metering.kilobits(limit.bitsPerSecond()));
    }

    private Set<String> overfull(final Map<FlowId, Target> targets, final Collection<FlowRate> rates) {
        final var loads = new HashMap<String, Double>();
        rates.forEach(rate -> {
            final var metering = targets.get(rate.flow()).metering();
            final double bitsPerSecond = rate.idle()
                ? situation.flows().get(rate.flow()).guarantee().bitsPerSecond()
                : metering.isMetered() ? metering.kilobits() * 1000 : rate.rate().bitsPerSecond();
            situation.ways().get(rate.flow()).parts().forEach((link, part) ->
                loads.merge(link, bitsPerSecond * part, Double::sum));
        });
        return situation.round().links().stream()
            .filter(link -> loads.getOrDefault(link.name(), 0.0) > link.available().bitsPerSecond())
            .map(AllocatableLink::name).collect(Collectors.toSet());
    }

    private static Target lesser(final Target one, final Target other) {
        return one.metering().kilobits() <= other.metering().kilobits() ? one : other;
    }
}

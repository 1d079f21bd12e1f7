// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.PathShare;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What switches are to hold of the flows of a round: meters of those that must yield, or the marks of all; the others
 * are counted.
 *
 * @param levels priorities of the applications with something to send, if the policy is one for queues
 */
record Targets(BandwidthConfig config, Situation situation, Map<ApplicationId, Integer> levels) {
    /** Of each flow in the round, in the same order. */
    Map<FlowId, Target> of(final Collection<FlowRate> rates) {
        final var active = active(rates);
        final var targets = new LinkedHashMap<FlowId, Target>();
        rates.forEach(rate -> targets.put(rate.flow(), target(rate.flow(), kilobits(rate, active))));
        return targets;
    }

    /** The priority of a flow, if the policy is one for queues: that of its application, the first if that is idle. */
    OptionalInt level(final FlowId flow) {
        return config.policy() == PolicyName.APP_FAIR ? OptionalInt.of(levels.getOrDefault(flow.application(), 0))
            : OptionalInt.empty();
    }

    /** The links that a flow passes; none if its way was lost since it was given a rate. */
    Set<String> links(final FlowId flow) {
        final var way = situation.ways().get(flow);
        return way == null ? Set.of()
            : way.paths().stream().map(PathShare::links).flatMap(List::stream).collect(Collectors.toSet());
    }

    private Target target(final FlowId flow, final long kilobits) {
        final var packets = situation.flows().get(flow).packets();
        final var mark = level(flow).stream().mapToObj(config.queues()::get).findFirst();
        final var way = situation.ways().get(flow);
        return new Target(new Metering(way.ingress(), packets, kilobits, mark,
            Optional.of(way.egresses()).filter(ports -> config.isQueueing(way.ingress().switchId()))), links(flow));
    }

    /**
     * What a flow is metered at. One without anything to send, and all with queues, which don't know it, only at their
     * limit: what comes before the next report does not exceed it either.
     */
    private long kilobits(final FlowRate rate, final Map<String, Integer> active) {
        final var metered = rate.idle() || config.policy() == PolicyName.APP_FAIR
            ? situation.flows().get(rate.flow()).limit()
            : Optional.of(rate.rate()).filter(given -> mustYield(rate, active));
        return metered.map(given -> Metering.kilobits(given.bitsPerSecond())).orElse(Metering.UNMETERED);
    }

    /**
     * Whether others could lose if a flow had no meter: not if it is alone all the way to the link that binds it, which
     * lets no more through. On links before that one, more than its rate could come; and on one with cross traffic,
     * more will when that gives way.
     */
    private boolean mustYield(final FlowRate rate, final Map<String, Integer> active) {
        return rate.bindingLink().map(binding -> situation.ways().get(rate.flow()).paths().stream()
            .flatMap(path -> upTo(binding, path.links()).stream()).anyMatch(link -> active.get(link) > 1))
            .orElse(true);
    }

    /** The links of a path as far as this one, or all if it does not lead there. */
    private static List<String> upTo(final String link, final List<String> path) {
        return path.contains(link) ? path.subList(0, path.indexOf(link) + 1) : path;
    }

    /**
     * How many flows each link has that send, or have a guarantee of what they would, or are out of sight; cross
     * traffic counts as one.
     */
    private Map<String, Integer> active(final Collection<FlowRate> rates) {
        final var active = new HashMap<String, Integer>();
        rates.stream().filter(rate -> !rate.idle()
            || !situation.flows().get(rate.flow()).guarantee().equals(Bandwidth.ZERO)).forEach(rate ->
            links(rate.flow()).forEach(link -> active.merge(link, 1, Integer::sum)));
        situation.outOfSight().forEach((link, kept) -> active.merge(link, kept.flows(), Integer::sum));
        situation.round().links().stream().filter(link -> !link.crossTraffic().equals(Bandwidth.ZERO))
            .forEach(link -> active.merge(link.name(), 1, Integer::sum));
        return active;
    }
}

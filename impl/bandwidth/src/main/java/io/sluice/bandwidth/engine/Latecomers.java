// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.Allocation.Refused;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Flows with guarantees for which those of others may leave no room any more, because a host was seen, a path has
 * changed or a link is smaller. No operator has asked for that, so it refuses nobody's round: their guarantees don't
 * count until there is room beside those that nothing of the kind has befallen. Of several late ones, those that have
 * waited least are let in first, then those that an earlier controller has run, then who is first in the configuration.
 * Whoever that has not run waits until all are seen that it may have.
 *
 * <p>What an operator has added or raised since is counted after these: it may refuse the round, and takes nobody's
 * place.
 *
 * @param settled the situation of the last round that was not refused
 * @param takenOver whether an earlier controller has run the flow of these packets, as long as not all flows are seen
 *     that it may have run
 * @param areMoreToCome whether it may have run some of those that are not seen
 */
record Latecomers(Situation settled, Predicate<Packets> takenOver, boolean areMoreToCome) {
    private static final double ROUNDING = 1e-9;
    private static final Optional<String> WAITS = Optional.of(
        "its guarantee waits until all flows are seen that an earlier controller may have run");

    /**
     * What is seen if the guarantees don't count for which there is no room.
     *
     * @param flows all, in the order of the configuration
     * @param look tells what is seen of such flows
     */
    Situation seen(final Map<FlowId, FlowConfig> flows, final Function<Map<FlowId, FlowConfig>, Situation> look) {
        final var all = look.apply(flows);
        final var waived = waived(flows, all);
        if (waived.isEmpty()) {
            return all;
        }
        final var counted = new HashMap<>(flows);
        waived.keySet().forEach(flow -> counted.computeIfPresent(flow, (id, config) -> config.withoutGuarantee()));
        return look.apply(counted).waiving(waived);
    }

    private Map<FlowId, String> waived(final Map<FlowId, FlowConfig> flows, final Situation seen) {
        final var guaranteed = flows.keySet().stream().filter(flow -> seen.ways().containsKey(flow)
            && flows.get(flow).guarantee().bitsPerSecond() > 0).toList();
        if (guaranteed.isEmpty()) {
            return Map.of();
        }
        final var inherited = guaranteed.stream().filter(flow -> takenOver.test(flows.get(flow).packets()))
            .collect(Collectors.toSet());
        final var shrunk = shrunk(seen);
        final var late = guaranteed.stream().filter(flow -> isLate(flow, seen, shrunk)
                || !isKnown(flow) && inherited.contains(flow))
            .sorted(Comparator.<FlowId, Boolean>comparing(flow -> settled.waived().containsKey(flow))
                .thenComparing(flow -> !inherited.contains(flow)))
            .collect(Collectors.toCollection(LinkedHashSet::new));
        if (late.isEmpty()) {
            return Map.of();
        }
        final var room = new Room(seen);
        guaranteed.stream().filter(flow -> isKnown(flow) && !late.contains(flow)).forEach(flow -> room.take(flow,
            Math.min(flows.get(flow).guarantee().bitsPerSecond(),
                settled.flows().get(flow).guarantee().bitsPerSecond())));
        final boolean isAnyToCome = areMoreToCome && !seen.missing().isEmpty();
        final var waived = new HashMap<FlowId, String>();
        late.forEach(flow -> {
            final long guarantee = flows.get(flow).guarantee().bitsPerSecond();
            (isAnyToCome && hasWaited(flow) && !inherited.contains(flow) ? WAITS : room.lack(flow, guarantee))
                .ifPresentOrElse(reason -> waived.put(flow, reason), () -> room.take(flow, guarantee));
        });
        return waived;
    }

    private boolean isLate(final FlowId flow, final Situation seen, final Set<String> shrunk) {
        final var before = settled.ways().get(flow);
        final var way = seen.ways().get(flow);
        return hasWaited(flow) || before != null && (!before.paths().equals(way.paths())
            || !Collections.disjoint(way.parts().keySet(), shrunk));
    }

    private boolean hasWaited(final FlowId flow) {
        return settled.missing().containsKey(flow) || settled.waived().containsKey(flow);
    }

    private boolean isKnown(final FlowId flow) {
        return settled.ways().containsKey(flow) || settled.missing().containsKey(flow);
    }

    private Set<String> shrunk(final Situation seen) {
        final var capacities = AllocatableLink.capacities(settled.round().links());
        return seen.round().links().stream()
            .filter(link -> capacities.getOrDefault(link.name(), Bandwidth.ZERO).compareTo(link.capacity()) > 0)
            .map(AllocatableLink::name).collect(Collectors.toSet());
    }

    /** What guarantees leave of links. */
    private static final class Room {
        private final Situation seen;
        private final Map<String, Bandwidth> capacities;
        private final Map<String, Double> taken = new HashMap<>();
        private final Map<String, List<FlowId>> takers = new HashMap<>();

        Room(final Situation seen) {
            this.seen = seen;
            capacities = AllocatableLink.capacities(seen.round().links());
        }

        void take(final FlowId flow, final long guarantee) {
            seen.ways().get(flow).parts().forEach((link, part) -> {
                taken.merge(link, part * guarantee, Double::sum);
                takers.computeIfAbsent(link, first -> new ArrayList<>()).add(flow);
            });
        }

        /** Why a guarantee has none. */
        Optional<String> lack(final FlowId flow, final long guarantee) {
            return seen.ways().get(flow).parts().entrySet().stream().sorted(Map.Entry.comparingByKey())
                .flatMap(part -> lack(part.getKey(), flow, part.getValue() * guarantee).stream()).findFirst();
        }

        private Optional<String> lack(final String link, final FlowId flow, final double bitsPerSecond) {
            final var capacity = capacities.get(link);
            final double sum = taken.getOrDefault(link, 0.0) + bitsPerSecond;
            if (sum <= capacity.bitsPerSecond() * (1 + ROUNDING)) {
                return Optional.empty();
            }
            final var flows = new ArrayList<>(takers.getOrDefault(link, List.of()));
            flows.add(flow);
            return Optional.of(new Refused(link, new Bandwidth((long) Math.ceil(sum)), capacity, flows).reason());
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.PathShare;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Flows with guarantees for which those of others leave no room any more, because a host was seen, a path has changed
 * or a link is smaller. No operator has asked for that, so it refuses nobody's round: their guarantees don't count
 * until there is room.
 */
final class Latecomers {
    private Latecomers() {
        // functions alone
    }

    /**
     * The situation in which the guarantees of those who are late don't count.
     *
     * @param before that of the last round
     * @param flows the configuration of all
     * @param takenOver whether an earlier controller has run a flow, which is none that an operator has just added
     * @param look makes the situation of such flows
     */
    static Situation waived(final Situation before, final Map<FlowId, FlowConfig> flows,
            final Predicate<FlowId> takenOver, final Function<Map<FlowId, FlowConfig>, Situation> look) {
        final var counted = new HashMap<>(flows);
        final var reasons = new HashMap<FlowId, String>();
        var seen = look.apply(counted);
        for (var last = last(before, seen, takenOver); !last.isEmpty(); last = last(before, seen, takenOver)) {
            reasons.putAll(last);
            last.keySet().forEach(flow -> counted.compute(flow, (id, config) -> config.withoutGuarantee()));
            seen = look.apply(counted);
        }
        return seen.waiving(reasons);
    }

    /** Of each link that guarantees overfill, the last flow that is late. */
    private static Map<FlowId, String> last(final Situation before, final Situation seen,
            final Predicate<FlowId> takenOver) {
        final var guaranteed = seen.ways().keySet().stream()
            .filter(flow -> seen.flows().get(flow).guarantee().bitsPerSecond() > 0).toList();
        if (guaranteed.isEmpty()) {
            return Map.of();
        }
        final var shrunk = shrunk(before, seen);
        final var late = guaranteed.stream().filter(flow ->
            isLate(flow, before, seen, shrunk) || isNew(flow, before) && takenOver.test(flow))
            .collect(Collectors.toSet());
        return late.isEmpty() ? Map.of() : last(seen, late);
    }

    private static Map<FlowId, String> last(final Situation seen, final Set<FlowId> late) {
        final var last = new HashMap<FlowId, String>();
        seen.round().refusals().forEach(refused -> refused.flows().stream().filter(late::contains)
            .reduce((earlier, later) -> later).ifPresent(flow -> last.put(flow, refused.reason())));
        return last;
    }

    private static boolean isLate(final FlowId flow, final Situation before, final Situation seen,
            final Set<String> shrunk) {
        final var earlier = before.ways().get(flow);
        final var now = seen.ways().get(flow).paths();
        return before.missing().containsKey(flow) || before.waived().containsKey(flow)
            || earlier != null && !earlier.paths().equals(now)
            || now.stream().map(PathShare::links).anyMatch(links -> !Collections.disjoint(links, shrunk));
    }

    private static boolean isNew(final FlowId flow, final Situation before) {
        return !before.ways().containsKey(flow) && !before.missing().containsKey(flow);
    }

    private static Set<String> shrunk(final Situation before, final Situation seen) {
        final var capacities = before.round().links().stream()
            .collect(Collectors.toMap(AllocatableLink::name, AllocatableLink::capacity));
        return seen.round().links().stream()
            .filter(link -> capacities.getOrDefault(link.name(), Bandwidth.ZERO).compareTo(link.capacity()) > 0)
            .map(AllocatableLink::name).collect(Collectors.toSet());
    }
}

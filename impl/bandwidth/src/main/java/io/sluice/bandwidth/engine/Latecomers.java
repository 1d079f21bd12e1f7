// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Flows that come to links whose guarantees leave no room for theirs, because a host was seen or a path has changed. No
 * operator has asked for that, so it refuses nobody's round: they wait until there is room.
 */
final class Latecomers {
    private Latecomers() {
        // functions alone
    }

    /**
     * The situation without those who are late, which are missing in it with the reason.
     *
     * @param before that of the last round
     * @param flows the configuration of all
     * @param look makes a situation in which some packets have these ways
     */
    static Situation leftOut(final Situation before, final Map<FlowId, FlowConfig> flows,
            final Function<Map<Packets, Way>, Situation> look) {
        final var late = new HashMap<Packets, Way>();
        var seen = look.apply(late);
        for (var last = last(before, seen, flows); !last.isEmpty(); last = last(before, seen, flows)) {
            late.putAll(last);
            seen = look.apply(late);
        }
        return seen;
    }

    /** Of each link that guarantees overfill, the last flow that has come to it. */
    private static Map<Packets, Way> last(final Situation before, final Situation seen,
            final Map<FlowId, FlowConfig> flows) {
        final var come = seen.ways().keySet().stream().filter(flow ->
            flows.get(flow).guarantee().bitsPerSecond() > 0 && hasCome(flow, before, seen)).collect(Collectors.toSet());
        return come.isEmpty() ? Map.of() : last(seen, come, flows);
    }

    private static Map<Packets, Way> last(final Situation seen, final Set<FlowId> come,
            final Map<FlowId, FlowConfig> flows) {
        final var last = new HashMap<Packets, Way>();
        seen.round().refusals().forEach(refused -> refused.flows().stream().filter(come::contains)
            .reduce((earlier, later) -> later).ifPresent(flow ->
                last.put(flows.get(flow).packets(), new Way.Unknown(refused.reason()))));
        return last;
    }

    private static boolean hasCome(final FlowId flow, final Situation before, final Situation seen) {
        final var earlier = before.ways().get(flow);
        return before.missing().containsKey(flow)
            || earlier != null && !earlier.paths().equals(seen.ways().get(flow).paths());
    }
}

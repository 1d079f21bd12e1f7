// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the flows of a transfer carry, those that carry anything, beside what they were expected to get. */
record Measured(List<Carried> flows) {
    Measured {
        flows = List.copyOf(flows);
    }

    /**
     * One flow.
     *
     * @param usage measured
     * @param expected max-min share by the capacities as they are configured
     */
    record Carried(FlowState flow, Usage usage, Bandwidth expected) {
        Bandwidth rate() {
            return usage.rate();
        }

        /** Part of the expected rate that was carried, above 0 and at most 1. */
        double share() {
            return Math.min(1, (double) rate().bitsPerSecond() / Math.max(1, expected.bitsPerSecond()));
        }
    }

    List<FlowState> states() {
        return flows.stream().map(Carried::flow).toList();
    }

    Bandwidth total() {
        return flows.stream().map(Carried::rate).reduce(Bandwidth.ZERO, Bandwidth::plus);
    }

    /**
     * What the links that the flows cross, in the fuller direction, were seen to yield, 0..1: a link yields at least
     * what the best flow over it got, since what held up the others is elsewhere then.
     */
    Map<PortId, Double> yields() {
        final var yields = new HashMap<PortId, Double>();
        for (var carried : flows) {
            final var flow = carried.flow();
            final var path = carried.usage().isToServer() ? flow.forward() : flow.backward();
            path.links().forEach(link -> yields.merge(link.source(), carried.share(), Math::max));
        }
        return yields;
    }

    /**
     * The same beside the best of the flows that have the same server: what holds up all of them, their client or their
     * server, is no fault of a link. A server's only flow has no other to be set against, and holds nothing against its
     * links; it clears them if none of the transfer got more. Shares that differ by less than {@code leastGainPpm} are
     * equal.
     */
    Map<PortId, Double> relativeYields(final long leastGainPpm) {
        final double equal = best(flows) / (1 + leastGainPpm / 1e6);
        final var yields = new HashMap<PortId, Double>();
        flows.stream().collect(Collectors.groupingBy(carried -> carried.flow().record().server())).values().stream()
            .filter(together -> together.size() > 1 || best(together) >= equal)
            .forEach(together -> new Measured(together).besideBest(leastGainPpm).forEach((link, share) ->
                yields.merge(link, share, Math::max)));
        return yields;
    }

    private Map<PortId, Double> besideBest(final long leastGainPpm) {
        final double best = best(flows);
        final double equal = best / (1 + leastGainPpm / 1e6);
        final var yields = yields();
        yields.replaceAll((link, share) -> share >= equal ? 1 : share / best);
        return yields;
    }

    private static double best(final List<Carried> flows) {
        return flows.stream().mapToDouble(Carried::share).max().orElse(1);
    }
}

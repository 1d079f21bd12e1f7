// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.FlowTotals.Total;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What links carry besides the flows of the configuration: the load that their ports count less what flows brought over
 * them in the same time. On its first link that is all that a flow sends, behind its meter what passes. Ports and flows
 * are not counted at the same moment, so that a flow that begins or ends seems to be cross traffic, or the lack of it,
 * for a while. Hence the least of the last three estimates counts, and only what differs by a twentieth of the capacity
 * from what counted before, and is as much: rates shall not follow noise.
 */
final class CrossTraffic {
    private static final int ESTIMATES = 3;
    private static final double STEP = 0.05;
    private static final double NS_PER_S = 1e9;

    private final FlowTotals totals;
    private final Map<String, Estimate> links = new HashMap<>();
    private Map<String, Bandwidth> loads = Map.of();
    /** When these were taken note of. */
    private OptionalLong notedNs = OptionalLong.empty();
    /** What had been counted then of the flows of the configuration, but for new ones of which nothing had. */
    private Map<FlowId, Optional<Total>> before = Map.of();
    /** These. */
    private Set<FlowId> uncounted = Set.of();

    /** Of one link: the last differences, in bit/s, and the one that counts. */
    private static final class Estimate {
        private final Deque<Double> last = new ArrayDeque<>();
        private double counts;

        void add(final double bitsPerSecond, final double capacity) {
            last.addLast(bitsPerSecond);
            if (last.size() > ESTIMATES) {
                last.removeFirst();
            }
            final double least = last.size() < ESTIMATES ? 0
                : last.stream().mapToDouble(Double::doubleValue).min().orElse(0);
            if (Math.abs(least - counts) > STEP * capacity) {
                counts = least > STEP * capacity ? least : 0;
            }
        }
    }

    CrossTraffic(final FlowTotals totals) {
        this.totals = totals;
    }

    /**
     * Takes note of the loads of links that are new: a fabric that counts its ports less often than rounds come shows
     * the same ones again. So that of a link seen for the first time says nothing yet: nobody knows how old it is.
     *
     * @param now loads by link, in bit/s of layer-2 frames
     * @param ways of all flows of the configuration whose ways are known
     */
    void note(final Collection<AllocatableLink> known, final Map<String, Bandwidth> now,
            final Map<FlowId, Way.Known> ways, final long nowNs) {
        final var last = loads;
        loads = Map.copyOf(now);
        links.keySet().retainAll(now.keySet());
        final var fresh = known.stream().filter(link -> last.containsKey(link.name())
            && !last.get(link.name()).equals(now.get(link.name()))).toList();
        if (fresh.isEmpty() && notedNs.isPresent()) {
            return;
        }
        final var unknown = new HashSet<String>();
        final var ours = ours(ways, AllocatableLink.capacities(known), unknown);
        fresh.stream().filter(link -> !unknown.contains(link.name())).forEach(link ->
            links.computeIfAbsent(link.name(), added -> new Estimate()).add(
                Math.max(0, now.get(link.name()).bitsPerSecond() - ours.getOrDefault(link.name(), 0.0)),
                link.capacity().bitsPerSecond()));
        remember(nowNs);
    }

    private void remember(final long nowNs) {
        final var all = totals.all();
        final var fresh = notedNs.isEmpty() ? Set.<FlowId>of() : all.keySet().stream().filter(flow ->
            all.get(flow).isEmpty() && !before.containsKey(flow) && !uncounted.contains(flow))
            .collect(Collectors.toSet());
        before = all.entrySet().stream().filter(flow -> !fresh.contains(flow.getKey()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        uncounted = fresh;
        notedNs = OptionalLong.of(nowNs);
    }

    /** What a link carries besides. */
    Bandwidth of(final String link) {
        final var estimate = links.get(link);
        return estimate == null ? Bandwidth.ZERO : new Bandwidth(Math.round(estimate.counts));
    }

    /** Bit/s of the flows over each link, since the last time; links of flows of which that is not known are named. */
    private Map<String, Double> ours(final Map<FlowId, Way.Known> ways, final Map<String, Bandwidth> capacities,
            final Set<String> unknown) {
        final var ours = new HashMap<String, Double>();
        ways.forEach((flow, way) -> {
            final var first = way.paths().getFirst().links().getFirst();
            rates(flow, capacities.get(first).bitsPerSecond()).ifPresentOrElse(rates ->
                way.parts().forEach((link, part) ->
                    ours.merge(link, (link.equals(first) ? rates.sent() : rates.passed()) * part, Double::sum)),
                () -> unknown.addAll(way.parts().keySet()));
        });
        return ours;
    }

    /** In bit/s. */
    private record Rates(double sent, double passed) {
        static final Rates NONE = new Rates(0, 0);

        static Rates of(final Traffic sent, final Traffic passed, final long ns) {
            return new Rates(sent.bytes() * Byte.SIZE * NS_PER_S / ns, passed.bytes() * Byte.SIZE * NS_PER_S / ns);
        }
    }

    /**
     * Since the last time. A flow that has come since has sent since then whatever is counted of it; but if that is
     * more than its first link carries, an earlier flow of its packets has.
     */
    private Optional<Rates> rates(final FlowId flow, final double most) {
        if (notedNs.isEmpty()) {
            return Optional.empty();
        }
        final var total = totals.of(flow);
        if (before.containsKey(flow)) {
            return before.get(flow).flatMap(then -> total.filter(now -> now.last().atNs() > then.last().atNs())
                .map(now -> Rates.of(now.sent().minus(then.sent()), now.passed().minus(then.passed()),
                    now.last().atNs() - then.last().atNs())));
        }
        return total.isEmpty() ? Optional.of(Rates.NONE)
            : total.filter(now -> now.last().atNs() > notedNs.getAsLong())
                .map(now -> Rates.of(now.sent(), now.passed(), now.last().atNs() - notedNs.getAsLong()))
                .filter(rates -> rates.sent() <= most * (1 + STEP));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/** Finds detours in one snapshot. */
final class DetourSearch {
    /** Cost of a hop over an idle link; over a full one it is twice that. Parts per million of a hop. */
    private static final long HOP_COST_PPM = 1_000_000;

    private record Reached(SwitchId at, long cost) { }

    private final Map<SwitchId, List<Link>> linksFrom;
    private final Map<PortId, Port> ports;

    DetourSearch(final FabricSnapshot snapshot) {
        linksFrom = snapshot.links().stream().collect(Collectors.groupingBy(link -> link.source().switchId()));
        ports = snapshot.ports();
    }

    /**
     * Returns false if a port on the way is known to be down. A switch that has not been seen yet, soon after a start
     * for instance, breaks nothing.
     */
    boolean isIntact(final List<Hop> hops) {
        return hops.stream().noneMatch(hop -> isDown(hop.out()) || isDown(hop.in()));
    }

    /**
     * Returns the cheapest way from where {@code lost} begins to {@code egress} that doesn't use it. The other
     * direction of the cable leads back to the beginning, so it isn't on a cheapest way either.
     */
    Optional<List<Hop>> around(final Hop lost, final SwitchId egress) {
        final var start = lost.out().switchId();
        final var best = new HashMap<>(Map.of(start, 0L));
        final var arrivedBy = new HashMap<SwitchId, Link>();
        final var settled = new HashSet<SwitchId>();
        final var queue = new PriorityQueue<>(
            Comparator.comparingLong(Reached::cost).thenComparing(Reached::at));
        queue.add(new Reached(start, 0));
        while (!queue.isEmpty() && !settled.contains(egress)) {
            final var reached = queue.remove();
            if (settled.add(reached.at())) {
                for (var link : linksFrom.getOrDefault(reached.at(), List.of())) {
                    final var next = link.destination().switchId();
                    final long cost = reached.cost() + cost(link);
                    if (!Hop.of(link).equals(lost) && cost < best.getOrDefault(next, Long.MAX_VALUE)) {
                        best.put(next, cost);
                        arrivedBy.put(next, link);
                        queue.add(new Reached(next, cost));
                    }
                }
            }
        }
        return settled.contains(egress) ? Optional.of(trace(arrivedBy, start, egress)) : Optional.empty();
    }

    private static List<Hop> trace(final Map<SwitchId, Link> arrivedBy, final SwitchId start, final SwitchId egress) {
        final var hops = new ArrayDeque<Hop>();
        for (var at = egress; !at.equals(start); at = hops.getFirst().out().switchId()) {
            hops.addFirst(Hop.of(arrivedBy.get(at)));
        }
        return List.copyOf(hops);
    }

    private static long cost(final Link link) {
        final double capacity = link.capacity().bitsPerSecond();
        final double usedPart = capacity == 0 ? 1 : Math.min(1, link.load().bitsPerSecond() / capacity);
        return HOP_COST_PPM + Math.round(usedPart * HOP_COST_PPM);
    }

    private boolean isDown(final PortId port) {
        return ports.containsKey(port) && !ports.get(port).up();
    }
}

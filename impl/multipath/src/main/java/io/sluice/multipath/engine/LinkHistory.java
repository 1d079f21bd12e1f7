// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.multipath.placement.World;
import io.sluice.multipath.steering.Hop;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which links there are, which there were, and which were lost lately. */
final class LinkHistory {
    /** Links that were there once: only of those is it known that they are gone when they are absent. */
    private final Set<Hop> seen = new HashSet<>();
    private final Map<Hop, Long> lostNs = new HashMap<>();
    private FabricSnapshot now = FabricSnapshot.EMPTY;
    private Set<Hop> present = Set.of();

    /** Takes note of a later snapshot. */
    void observe(final FabricSnapshot snapshot, final long nowNs) {
        final var before = present;
        now = snapshot;
        present = new HashSet<>();
        snapshot.links().forEach(link -> present.add(Hop.of(link)));
        before.stream().filter(hop -> !present.contains(hop)).forEach(hop -> lostNs.put(hop, nowNs));
        seen.addAll(present);
    }

    /** True if a link of the path was there and is gone, or has a port that is down. */
    boolean isBroken(final Path path) {
        return path.links().stream().anyMatch(link -> !present.contains(Hop.of(link))
            && (seen.contains(Hop.of(link)) || isDown(link)));
    }

    /** The world without the links that were lost less than {@code holdNs} ago: they may be lost again. */
    World steady(final World world, final long nowNs, final long holdNs) {
        lostNs.values().removeIf(lost -> nowNs - lost >= holdNs);
        final var fabric = world.fabric();
        return lostNs.isEmpty() ? world : new World(new FabricSnapshot(fabric.version(), fabric.switches(),
            fabric.ports(), fabric.links().stream().filter(link -> !lostNs.containsKey(Hop.of(link))).toList(),
            fabric.hosts()), world.flows(), world.background());
    }

    private boolean isDown(final Link link) {
        final var out = now.ports().get(link.source());
        final var in = now.ports().get(link.destination());
        return out != null && !out.up() || in != null && !in.up();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.PortId;
import io.sluice.multipath.placement.World;
import java.util.Map;
import java.util.TreeMap;

/**
 * Links that carry less than their capacity says. The yield of a link is the part of its expected share that a flow got
 * over it, beside what flows of the same transfer and server got over theirs: what holds up all of them, their client
 * or their server, is no fault of a link. Averaged over reviews; a link that nobody measures is believed again bit by
 * bit, so that it is tried again. At most one number a link is kept.
 */
final class LinkYields {
    /** In so many hold times half of what was held against a link is forgotten. */
    private static final int HALF_LIFE_HOLDS = 16;
    /** A link that yields more is as good as any. */
    private static final double SOUND = 0.95;

    private final Map<PortId, Double> yields = new TreeMap<>();
    private long observedNs;

    /** Takes note of what links were seen to yield since the last time. */
    void observe(final Map<PortId, Double> seen, final long nowNs, final long holdNs) {
        final double halfLifeNs = (double) HALF_LIFE_HOLDS * Math.max(1, holdNs);
        final double remembered = Math.pow(0.5, (nowNs - observedNs) / halfLifeNs);
        observedNs = nowNs;
        yields.replaceAll((link, before) -> seen.containsKey(link) ? before : 1 - (1 - before) * remembered);
        seen.forEach((link, now) -> yields.put(link, (yields.getOrDefault(link, 1.0) + now) / 2));
        yields.values().removeIf(known -> known > SOUND);
    }

    /** Takes what a trial has shown for what it is. */
    void confirm(final Map<PortId, Double> shown) {
        shown.forEach((link, now) -> yields.merge(link, now, Math::min));
        yields.values().removeIf(known -> known > SOUND);
    }

    /** The links that yield less than 1, and how much. */
    Map<PortId, Double> all() {
        return Map.copyOf(yields);
    }

    /** The world with each capacity as large as it was seen to be. */
    World corrected(final World world) {
        return scaled(world, yields);
    }

    /** The world with some capacities multiplied. */
    static World scaled(final World world, final Map<PortId, Double> factors) {
        final var fabric = world.fabric();
        return factors.isEmpty() ? world : new World(new FabricSnapshot(fabric.version(), fabric.switches(),
            fabric.ports(), fabric.links().stream().map(link ->
                scaled(link, factors.getOrDefault(link.source(), 1.0))).toList(), fabric.hosts()),
            world.flows(), world.background());
    }

    private static Link scaled(final Link link, final double factor) {
        return link.withCapacity(new Bandwidth(Math.round(link.capacity().bitsPerSecond() * factor)));
    }
}

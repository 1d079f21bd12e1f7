// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bandwidth;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.AllocatableLink.Role;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Links of a fat-tree with its hosts (Al-Fares, Loukissas, Vahdat, SIGCOMM 2008, section 3), all of one capacity; only
 * those that a route has passed exist.
 */
final class HostFatTree {
    private final int half;
    private final Bandwidth capacity;
    private final Map<String, AllocatableLink> links = new LinkedHashMap<>();

    HostFatTree(final int ports, final Bandwidth capacity) {
        half = ports / 2;
        this.capacity = capacity;
    }

    int hosts() {
        return 2 * half * half * half;
    }

    List<AllocatableLink> links() {
        return List.copyOf(links.values());
    }

    /** A shortest path between two different hosts, by random aggregation and core switches. */
    List<String> route(final int source, final int target, final RandomGenerator random) {
        final int edgeFrom = source / half;
        final int edgeTo = target / half;
        final int up = random.nextInt(half);
        final int core = random.nextInt(half);
        final var inside = edgeFrom == edgeTo ? Stream.<String>empty() : edgeFrom / half == edgeTo / half
            ? Stream.of(link("e" + edgeFrom, "a" + edgeFrom / half + "." + up),
                link("a" + edgeFrom / half + "." + up, "e" + edgeTo))
            : Stream.of(link("e" + edgeFrom, "a" + edgeFrom / half + "." + up),
                link("a" + edgeFrom / half + "." + up, "c" + up + "." + core),
                link("c" + up + "." + core, "a" + edgeTo / half + "." + up),
                link("a" + edgeTo / half + "." + up, "e" + edgeTo));
        return Stream.of(Stream.of(link("h" + source, "e" + edgeFrom)), inside,
            Stream.of(link("e" + edgeTo, "h" + target))).flatMap(part -> part).toList();
    }

    private String link(final String from, final String to) {
        final var name = from + "-" + to;
        final var role = from.startsWith("h") ? Role.UPLINK : to.startsWith("h") ? Role.DOWNLINK : Role.INTERNAL;
        return links.computeIfAbsent(name, added -> new AllocatableLink(added, role, capacity)).name();
    }
}

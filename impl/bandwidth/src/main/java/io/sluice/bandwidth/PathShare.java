// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * A path of a flow and the part of the flow that takes it.
 *
 * @param links names, from source to destination, at least one: traffic inside a machine is no flow of the network
 * @param weight part of the flow in relation to its other paths, at least 1
 */
public record PathShare(List<String> links, long weight) {
    public PathShare {
        links = List.copyOf(links);
        if (links.isEmpty()) {
            throw new IllegalArgumentException("a path has at least one link");
        }
        if (new HashSet<>(links).size() < links.size()) {
            throw new IllegalArgumentException("path passes a link twice: " + links);
        }
        Checks.weight(weight);
    }

    /** Of a flow that is spread over these paths, the part that passes each link: above 0, and up to 1. */
    public static Map<String, Double> parts(final List<PathShare> paths) {
        final double whole = paths.stream().mapToLong(PathShare::weight).sum();
        final var parts = new HashMap<String, Double>();
        paths.forEach(path -> path.links().forEach(link -> parts.merge(link, path.weight() / whole, Double::sum)));
        return parts;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.HashSet;
import java.util.List;

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
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import io.sluice.graph.Multigraph;
import java.util.List;

/**
 * The nodes N and links E of table 1. Nodes are numbered 0 up, in the order of their names; so are links.
 *
 * @param nodes names
 * @param links each direction for itself; parallel links are welcome
 */
public record Network(List<String> nodes, List<Link> links) {
    public Network {
        nodes = List.copyOf(nodes);
        links = List.copyOf(links);
        for (final var link : links) {
            checkNode(nodes, link.from());
            checkNode(nodes, link.to());
        }
    }

    /** The links as arcs with the same numbers; an arc costs its link's weight, or far more if that is down. */
    public Multigraph graph() {
        final var graph = Multigraph.builder(nodes.size());
        for (final var link : links) {
            graph.arc(link.from(), link.to(), link.routingCost());
        }
        return graph.build();
    }

    private static void checkNode(final List<String> nodes, final int node) {
        if (node < 0 || node >= nodes.size()) {
            throw new IllegalArgumentException("node " + node + " of " + nodes.size());
        }
    }
}

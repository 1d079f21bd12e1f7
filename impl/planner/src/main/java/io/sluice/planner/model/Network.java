// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import io.sluice.graph.Multigraph;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The nodes N and links E of table 1. Nodes are numbered 0 up, in the order of their names; so are links.
 *
 * @param nodes names
 * @param links each direction for itself; parallel links are welcome
 * @param routings ways that are given, at most one from a node to another; elsewhere shortest paths are taken
 */
public record Network(List<String> nodes, List<Link> links, List<Routing> routings) {
    public Network {
        nodes = List.copyOf(nodes);
        links = List.copyOf(links);
        routings = List.copyOf(routings);
        for (final var link : links) {
            checkNode(nodes, link.from());
            checkNode(nodes, link.to());
        }
        if (routings.stream().map(routing -> List.of(routing.from(), routing.to())).distinct().count()
                < routings.size()) {
            throw new IllegalArgumentException("two routings between the same nodes");
        }
        for (final var routing : routings) {
            checkNode(nodes, routing.from());
            checkNode(nodes, routing.to());
            routing.check(nodes, links);
        }
    }

    /** All by shortest paths. */
    public Network(final List<String> nodes, final List<Link> links) {
        this(nodes, links, List.of());
    }

    /** The same nodes and routings over other links of the same numbers. */
    public Network withLinks(final List<Link> others) {
        return new Network(nodes, others, routings);
    }

    /** The name of a link, or its ends. */
    public String linkName(final int number) {
        final var link = links.get(number);
        return link.name().isEmpty() ? nodes.get(link.from()) + " -> " + nodes.get(link.to()) : link.name();
    }

    /** The links as arcs with the same numbers; an arc costs its link's weight, or far more if that is down. */
    public Multigraph graph() {
        return graph(Link::routingCost);
    }

    /** As {@link #graph}, as if no link were down. */
    public Multigraph graphOfAll() {
        return graph(Link::weight);
    }

    private Multigraph graph(final ToLongFunction<Link> cost) {
        final var graph = Multigraph.builder(nodes.size());
        links.forEach(link -> graph.arc(link.from(), link.to(), cost.applyAsLong(link)));
        return graph.build();
    }

    private static void checkNode(final List<String> nodes, final int node) {
        if (node < 0 || node >= nodes.size()) {
            throw new IllegalArgumentException("node " + node + " of " + nodes.size());
        }
    }
}

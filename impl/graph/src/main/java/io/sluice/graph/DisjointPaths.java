// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import io.sluice.graph.DisjointAnswer.Found;
import io.sluice.graph.DisjointAnswer.Unreachable;
import io.sluice.graph.Disjointness.ByGroup;
import io.sluice.graph.Disjointness.ByLink;
import io.sluice.graph.Disjointness.ByNode;
import io.sluice.graph.SharedUses.Thing;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Finds k paths of least total cost between two vertices that share nothing, or else as little as can be. The answer
 * depends on graph and question alone: equal questions have equal answers, also from different finders.
 *
 * <p>By link and by node the answer is exact. It is a cheapest flow of k units, found by successive shortest paths
 * (Suurballe 1974, Bhandari 1999, for any k): see {@link ResidualNetwork} for the costs and {@link AugmentingSearch}
 * for the search. By shared-risk group the problem is NP-hard (Hu, "Diverse routing in optical mesh networks", 2003):
 * see {@link RiskPaths} for what is exact.
 *
 * <p>A finder keeps its workspace between questions; it is not for two threads at once.
 */
public final class DisjointPaths {
    private final Multigraph graph;
    private FlowPaths links;
    private FlowPaths nodes;

    public DisjointPaths(final Multigraph graph) {
        this.graph = graph;
    }

    /**
     * Finds paths.
     *
     * @param k number of paths wanted, at least 1; k * (vertices)^2 * (largest cost) may go to 2^55, by group with the
     *     largest number of groups that a link is in as a further factor
     * @throws IllegalArgumentException if source and target are the same, or k is out of range
     * @throws IndexOutOfBoundsException if source, target or an arc of a group is not of the graph
     */
    public DisjointAnswer find(final Disjointness disjointness, final int source, final int target, final int k) {
        checkEnds(source, target);
        switch (disjointness) {
            case ByLink byLink -> {
                checkPaths(k, 1);
                return byFlow(links(), path -> SharedUses.links(graph, path), source, target, k);
            }
            case ByNode byNode -> {
                checkPaths(k, 1);
                return byFlow(nodes(), path -> SharedUses.nodes(graph, path), source, target, k);
            }
            case ByGroup byGroup -> {
                final var risks = new Risks(graph, byGroup.groups());
                checkPaths(k, risks.mostOfLink());
                return new RiskPaths(graph, risks, links()).find(source, target, k);
            }
        }
    }

    private static DisjointAnswer byFlow(final FlowPaths paths, final Function<ArcPath, Stream<Thing>> things,
            final int source, final int target, final int k) {
        return paths.find(source, target, k)
            .<DisjointAnswer>map(flow -> new Found(flow.disjoint(), flow.leastShared(),
                SharedUses.shared(flow.leastShared(), things), true))
            .orElseGet(() -> new Unreachable(source, target));
    }

    private void checkEnds(final int source, final int target) {
        Objects.checkIndex(source, graph.vertexCount());
        Objects.checkIndex(target, graph.vertexCount());
        if (source == target) {
            throw new IllegalArgumentException("source and target are both " + source);
        }
    }

    private void checkPaths(final int k, final int risksOfLink) {
        final long most = FlowPaths.maxPaths(graph) / risksOfLink;
        if (k < 1 || k > most) {
            throw new IllegalArgumentException(k + " paths wanted, not in 1.." + most);
        }
    }

    private FlowPaths links() {
        if (links == null) {
            links = new FlowPaths(graph, ResidualNetwork.ofLinks(graph));
        }
        return links;
    }

    private FlowPaths nodes() {
        if (nodes == null) {
            nodes = new FlowPaths(graph, ResidualNetwork.ofNodes(graph));
        }
        return nodes;
    }
}

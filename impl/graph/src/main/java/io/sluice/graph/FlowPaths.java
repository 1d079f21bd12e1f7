// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.List;
import java.util.Optional;

/** Cheapest sets of paths in one {@link ResidualNetwork}, by successive shortest paths. */
final class FlowPaths {
    private static final long MAX_COST = 1L << 55;

    private final Multigraph graph;
    private final ResidualNetwork network;
    private final AugmentingSearch search;
    private final DeadEnds deadEnds;

    /** The paths that share nothing, at most k, and the k that share least; see {@link DisjointAnswer.Found}. */
    record Flow(List<ArcPath> disjoint, List<ArcPath> leastShared) { }

    FlowPaths(final Multigraph graph, final ResidualNetwork network) {
        this.graph = graph;
        this.network = network;
        search = new AugmentingSearch(network);
        deadEnds = DeadEnds.of(graph);
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            if (deadEnds.contains(vertex)) {
                search.block(network.entry(vertex));
                search.block(network.exit(vertex));
            }
        }
    }

    /** Largest number of paths that may be asked for in {@code graph}, so that no sum runs over. */
    static long maxPaths(final Multigraph graph) {
        final long vertices = graph.vertexCount();
        return MAX_COST / vertices / vertices / Math.max(1, graph.maxCost());
    }

    /** Returns {@code k} paths, or nothing if {@code to} can't be reached; {@code k} is at most {@link #maxPaths}. */
    Optional<Flow> find(final int from, final int to, final int k) {
        open(deadEnds.wayOut(from), true);
        open(deadEnds.wayOut(to), true);
        final var flow = augment(from, to, k);
        open(deadEnds.wayOut(from), false);
        open(deadEnds.wayOut(to), false);
        return flow;
    }

    /**
     * Sends unit after unit. As a shared use costs more than k paths can, the flow shares nothing until its cost
     * reaches the surcharge, and it is the cheapest of its number of units at each step.
     */
    private Optional<Flow> augment(final int from, final int to, final int k) {
        final long surcharge = k * (graph.vertexCount() * graph.maxCost()) + 1;
        network.begin(from, to, surcharge);
        search.begin();
        List<ArcPath> disjoint = null;
        long cost = 0;
        for (int unit = 0; unit < k; unit++) {
            if (!search.find()) {
                return Optional.empty();
            }
            cost += search.cost();
            if (cost >= surcharge && disjoint == null) {
                disjoint = network.paths();
            }
            search.push();
        }
        final var all = network.paths();
        return Optional.of(new Flow(disjoint == null ? all : disjoint, all));
    }

    private void open(final int[] vertices, final boolean open) {
        for (final int vertex : vertices) {
            if (open) {
                search.unblock(network.entry(vertex));
                search.unblock(network.exit(vertex));
            } else {
                search.block(network.entry(vertex));
                search.block(network.exit(vertex));
            }
        }
    }
}

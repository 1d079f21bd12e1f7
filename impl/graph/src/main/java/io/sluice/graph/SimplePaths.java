// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All paths without repeated vertices between two vertices, where they are few. */
final class SimplePaths {
    private final Multigraph graph;
    private final int target;
    private final int maxPaths;
    private final boolean[] onPath;
    private final IntStack arcs = new IntStack();
    private final List<ArcPath> paths = new ArrayList<>();
    private int stepsLeft;

    private SimplePaths(final Multigraph graph, final int target, final int maxPaths, final int maxSteps) {
        this.graph = graph;
        this.target = target;
        this.maxPaths = maxPaths;
        stepsLeft = maxSteps;
        onPath = new boolean[graph.vertexCount()];
    }

    /** The paths, cheapest first; empty if there are more than {@code maxPaths} or it takes too many arcs to tell. */
    static Optional<List<ArcPath>> between(final Multigraph graph, final int source, final int target,
            final int maxPaths, final int maxSteps) {
        final var search = new SimplePaths(graph, target, maxPaths, maxSteps);
        if (!search.walk(source)) {
            return Optional.empty();
        }
        search.paths.sort(null);
        return Optional.of(search.paths);
    }

    /** Walks depth first; returns false once a limit is met. */
    private boolean walk(final int source) {
        final var nextIndex = new IntStack();
        nextIndex.push(0);
        onPath[source] = true;
        int vertex = source;
        while (!nextIndex.isEmpty()) {
            final int index = nextIndex.pop();
            if (vertex == target || index == graph.outDegree(vertex)) {
                onPath[vertex] = false;
                vertex = arcs.isEmpty() ? source : graph.tail(arcs.pop());
                continue;
            }
            nextIndex.push(index + 1);
            final int arc = graph.outArc(vertex, index);
            if (--stepsLeft < 0) {
                return false;
            }
            if (!onPath[graph.head(arc)]) {
                vertex = graph.head(arc);
                onPath[vertex] = true;
                arcs.push(arc);
                nextIndex.push(0);
                if (vertex == target && !keep()) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean keep() {
        paths.add(ArcPath.of(graph, arcs.toArray()));
        return paths.size() <= maxPaths;
    }
}

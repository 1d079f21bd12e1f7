// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.Arrays;

/**
 * Vertices that no path passes because they hang on one neighbour, hosts for instance, and those that would if these
 * were gone, and so on: the trees around the 2-core. Such a vertex lies on a path only if it leads from the core, or
 * from where the trees of both ends meet, to an end of the path.
 */
final class DeadEnds {
    /** The one neighbour that leads out of a dead end; itself for the last vertex of a tree; -1 in the core. */
    private final int[] exits;

    private DeadEnds(final int[] exits) {
        this.exits = exits;
    }

    static DeadEnds of(final Multigraph graph) {
        final int vertices = graph.vertexCount();
        final var exits = new int[vertices];
        Arrays.fill(exits, -1);
        final var degrees = new int[vertices];
        final var seenFrom = new int[vertices];
        Arrays.fill(seenFrom, -1);
        final var next = new IntStack();
        for (int vertex = 0; vertex < vertices; vertex++) {
            degrees[vertex] = neighbours(graph, vertex, seenFrom);
            if (degrees[vertex] <= 1) {
                next.push(vertex);
            }
        }
        while (!next.isEmpty()) {
            final int vertex = next.pop();
            exits[vertex] = vertex;
            final int exit = remainingNeighbour(graph, vertex, exits);
            if (exit >= 0) {
                exits[vertex] = exit;
                if (--degrees[exit] == 1) {
                    next.push(exit);
                }
            }
        }
        return new DeadEnds(exits);
    }

    boolean contains(final int vertex) {
        return exits[vertex] >= 0;
    }

    /** The dead ends from {@code vertex} outwards, {@code vertex} included; none if it is in the core. */
    int[] wayOut(final int vertex) {
        final var way = new IntStack();
        int last = -1;
        for (int at = vertex; at != last && contains(at); at = exits[at]) {
            way.push(at);
            last = at;
        }
        return way.toArray();
    }

    private static int neighbours(final Multigraph graph, final int vertex, final int[] seenFrom) {
        int count = 0;
        seenFrom[vertex] = vertex;
        for (int i = 0; i < graph.outDegree(vertex) + graph.inDegree(vertex); i++) {
            final int neighbour = neighbour(graph, vertex, i);
            if (seenFrom[neighbour] != vertex) {
                seenFrom[neighbour] = vertex;
                count++;
            }
        }
        return count;
    }

    private static int remainingNeighbour(final Multigraph graph, final int vertex, final int[] exits) {
        for (int i = 0; i < graph.outDegree(vertex) + graph.inDegree(vertex); i++) {
            final int neighbour = neighbour(graph, vertex, i);
            if (exits[neighbour] < 0) {
                return neighbour;
            }
        }
        return -1;
    }

    private static int neighbour(final Multigraph graph, final int vertex, final int index) {
        final int out = graph.outDegree(vertex);
        return index < out ? graph.head(graph.outArc(vertex, index))
            : graph.tail(graph.inArc(vertex, index - out));
    }
}

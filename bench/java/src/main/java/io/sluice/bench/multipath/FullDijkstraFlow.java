// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.multipath;

import io.sluice.graph.Multigraph;
import java.util.Arrays;

/**
 * The textbook way to k link-disjoint paths, as peer and as check: each augmentation is a Dijkstra search over the
 * whole graph, after which every potential is raised (Ahuja, Magnanti, Orlin: Network Flows, 1993, section 9.7). It
 * treats the two directions of a cable as separate arcs, which costs an optimum nothing.
 */
final class FullDijkstraFlow {
    private static final long UNREACHED = Long.MAX_VALUE;

    private final Multigraph graph;
    private final boolean[] used;
    private final long[] potentials;
    private final long[] distances;
    private final int[] arrivals;
    private final PackedHeap heap;

    FullDijkstraFlow(final Multigraph graph) {
        this.graph = graph;
        used = new boolean[graph.arcCount()];
        potentials = new long[graph.vertexCount()];
        distances = new long[graph.vertexCount()];
        arrivals = new int[graph.vertexCount()];
        heap = new PackedHeap(graph.vertexCount());
    }

    /** Total cost of the cheapest {@code k} link-disjoint paths, or -1 if there are not so many. */
    long cost(final int source, final int target, final int k) {
        Arrays.fill(used, false);
        Arrays.fill(potentials, 0);
        long cost = 0;
        for (int path = 0; path < k; path++) {
            search(source);
            if (distances[target] == UNREACHED) {
                return -1;
            }
            for (int vertex = 0; vertex < potentials.length; vertex++) {
                potentials[vertex] += Math.min(distances[vertex], distances[target]);
            }
            cost += potentials[target] - potentials[source];
            augment(source, target);
        }
        return cost;
    }

    private void search(final int source) {
        Arrays.fill(distances, UNREACHED);
        distances[source] = 0;
        heap.push(0, source);
        while (!heap.isEmpty()) {
            final long distance = heap.minKey();
            final int vertex = heap.removeMin();
            if (distance == distances[vertex]) {
                scan(vertex);
            }
        }
    }

    private void scan(final int vertex) {
        final long base = distances[vertex] + potentials[vertex];
        for (int i = 0; i < graph.outDegree(vertex); i++) {
            final int arc = graph.outArc(vertex, i);
            if (!used[arc]) {
                label(graph.head(arc), base + graph.cost(arc), arc);
            }
        }
        for (int i = 0; i < graph.inDegree(vertex); i++) {
            final int arc = graph.inArc(vertex, i);
            if (used[arc]) {
                label(graph.tail(arc), base - graph.cost(arc), arc);
            }
        }
    }

    private void label(final int vertex, final long unreduced, final int arc) {
        final long distance = unreduced - potentials[vertex];
        if (distance < distances[vertex]) {
            distances[vertex] = distance;
            arrivals[vertex] = arc;
            heap.push(distance, vertex);
        }
    }

    private void augment(final int source, final int target) {
        for (int vertex = target; vertex != source;) {
            final int arc = arrivals[vertex];
            vertex = used[arc] ? graph.head(arc) : graph.tail(arc);
            used[arc] = !used[arc];
        }
    }

    /** Binary heap of keys and vertices packed into one long each. */
    private static final class PackedHeap {
        private final int shift;
        private long[] entries = new long[1024];
        private int size;

        PackedHeap(final int vertices) {
            shift = Integer.SIZE - Integer.numberOfLeadingZeros(vertices);
        }

        boolean isEmpty() {
            return size == 0;
        }

        long minKey() {
            return entries[1] >> shift;
        }

        void push(final long key, final int vertex) {
            if (++size == entries.length) {
                entries = Arrays.copyOf(entries, size * 2);
            }
            final long entry = key << shift | vertex;
            int hole = size;
            for (; hole > 1 && entries[hole / 2] > entry; hole /= 2) {
                entries[hole] = entries[hole / 2];
            }
            entries[hole] = entry;
        }

        int removeMin() {
            final int vertex = (int) (entries[1] & (1L << shift) - 1);
            final long entry = entries[size--];
            int hole = 1;
            while (hole * 2 <= size) {
                int child = hole * 2;
                if (child < size && entries[child + 1] < entries[child]) {
                    child++;
                }
                if (entries[child] >= entry) {
                    break;
                }
                entries[hole] = entries[child];
                hole = child;
            }
            entries[hole] = entry;
            return vertex;
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.Arrays;

/** Labels and queue of one of the two searches that meet, from the source forwards or from the target backwards. */
final class Frontier {
    /** Label of a vertex that was not reached: above every length, and twice it stays below 2^63. */
    static final long UNREACHED = 1L << 62;
    /** Label of a vertex that is not to be reached: below every length, so that no arc improves it. Arcs to it may
     * have a negative reduced cost, as its potential does not follow. */
    private static final long BLOCKED = Long.MIN_VALUE;

    /** Length of the best way known between the root and a vertex. */
    final long[] labels;
    /** Half by which the search came to a vertex; it points away from the root for a forward search, and otherwise is
     * the mate of the half that a unit would take. */
    final int[] halves;
    final IntStack labelled = new IntStack();

    private final VertexHeap heap = new VertexHeap();

    /** Arcs scanned since the search began. */
    long work;
    /** Smallest label that was not pursued because it could not matter. */
    long leftOut;

    Frontier(final int vertices) {
        labels = new long[vertices];
        Arrays.fill(labels, UNREACHED);
        halves = new int[vertices];
    }

    void block(final int vertex) {
        labels[vertex] = BLOCKED;
    }

    void unblock(final int vertex) {
        labels[vertex] = UNREACHED;
    }

    void begin(final int root) {
        work = 0;
        leftOut = UNREACHED;
        label(root, 0, -1);
    }

    void label(final int vertex, final long length, final int half) {
        if (labels[vertex] == UNREACHED) {
            labelled.push(vertex);
        }
        labels[vertex] = length;
        halves[vertex] = half;
        heap.push(length, vertex);
    }

    /** Length of the next vertex to settle, {@link #UNREACHED} if there is none. */
    long top() {
        while (!heap.isEmpty() && heap.minKey() > labels[heap.minVertex()]) {
            heap.removeMin();
        }
        return heap.isEmpty() ? UNREACHED : heap.minKey();
    }

    /** Takes the vertex whose length {@link #top} told. */
    int settle() {
        final int vertex = heap.minVertex();
        heap.removeMin();
        return vertex;
    }

    void clear() {
        heap.clear();
        while (!labelled.isEmpty()) {
            labels[labelled.pop()] = UNREACHED;
        }
    }
}

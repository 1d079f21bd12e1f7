// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.Arrays;

/**
 * Priority queue of (key, vertex), smallest key first, as a heap of four children a node in two primitive arrays. There
 * is no decrease-key: a vertex is pushed again and the caller skips the stale entry.
 */
final class VertexHeap {
    private static final int ARITY = 4;

    private long[] keys = new long[256];
    private int[] vertices = new int[256];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void clear() {
        size = 0;
    }

    long minKey() {
        return keys[0];
    }

    int minVertex() {
        return vertices[0];
    }

    void push(final long key, final int vertex) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, size * 2);
            vertices = Arrays.copyOf(vertices, size * 2);
        }
        int hole = size++;
        while (hole > 0) {
            final int parent = (hole - 1) / ARITY;
            if (keys[parent] <= key) {
                break;
            }
            keys[hole] = keys[parent];
            vertices[hole] = vertices[parent];
            hole = parent;
        }
        keys[hole] = key;
        vertices[hole] = vertex;
    }

    void removeMin() {
        final long key = keys[--size];
        final int vertex = vertices[size];
        int hole = 0;
        int child = smallestChild(hole);
        while (child < size && keys[child] < key) {
            keys[hole] = keys[child];
            vertices[hole] = vertices[child];
            hole = child;
            child = smallestChild(hole);
        }
        keys[hole] = key;
        vertices[hole] = vertex;
    }

    /** Position of the smallest child of {@code parent}, or one past the end if it has none. */
    private int smallestChild(final int parent) {
        final int first = parent * ARITY + 1;
        final int end = Math.min(first + ARITY, size);
        int smallest = first;
        for (int child = first + 1; child < end; child++) {
            if (keys[child] < keys[smallest]) {
                smallest = child;
            }
        }
        return smallest;
    }
}

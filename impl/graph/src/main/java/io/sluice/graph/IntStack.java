// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.Arrays;

/** A stack of ints that keeps its array when it is emptied. */
final class IntStack {
    private int[] values = new int[64];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    int get(final int index) {
        return values[index];
    }

    void push(final int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    int pop() {
        return values[--size];
    }

    int[] toArray() {
        return Arrays.copyOf(values, size);
    }

    void clear() {
        size = 0;
    }
}

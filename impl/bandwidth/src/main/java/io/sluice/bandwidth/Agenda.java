// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Arrays;

/**
 * When things are due: items 0 up, each at one time or never; items due at the same time come by number. A binary heap
 * that knows where each item is. What is put off keeps its place until it comes to the top, for it may be put off again
 * before that.
 */
final class Agenda {
    private final double[] times;
    /** Of each item, the time by which it has its place: at most when it is due; infinite if it has no place. */
    private final double[] keys;
    private final int[] heap;
    private final int[] place;
    private int size;

    /** Starts with nothing due. */
    Agenda(final int items) {
        times = new double[items];
        Arrays.fill(times, Double.POSITIVE_INFINITY);
        keys = times.clone();
        heap = new int[items];
        place = new int[items];
    }

    /** When the next item is due; infinite if none is. */
    double next() {
        while (size > 0 && keys[heap[0]] < times[heap[0]]) {
            final int item = heap[0];
            keys[item] = times[item];
            sink(keys[item] < Double.POSITIVE_INFINITY ? item : heap[--size]);
        }
        return size > 0 ? keys[heap[0]] : Double.POSITIVE_INFINITY;
    }

    /** The next item, which is due no more. */
    int poll() {
        next();
        final int item = heap[0];
        cancel(item);
        return item;
    }

    /**
     * Sets when an item is due, whether it was or not.
     *
     * @param time infinite for never
     */
    void set(final int item, final double time) {
        times[item] = time;
        if (time < keys[item]) {
            place[item] = keys[item] < Double.POSITIVE_INFINITY ? place[item] : size++;
            keys[item] = time;
            rise(item);
        }
    }

    void cancel(final int item) {
        times[item] = Double.POSITIVE_INFINITY;
    }

    /** Moves the items above that are due later down. */
    private void rise(final int item) {
        int hole = place[item];
        while (hole > 0 && isBefore(item, heap[(hole - 1) / 2])) {
            put(heap[(hole - 1) / 2], hole);
            hole = (hole - 1) / 2;
        }
        put(item, hole);
    }

    /** Puts an item in the place of the top one, and moves those below that are due earlier up. */
    private void sink(final int item) {
        int hole = 0;
        int child = earlierChild(hole);
        while (child < size && isBefore(heap[child], item)) {
            put(heap[child], hole);
            hole = child;
            child = earlierChild(hole);
        }
        put(item, hole);
    }

    /** Place of the child that is due first, or one past the end or more if there is none. */
    private int earlierChild(final int parent) {
        final int left = 2 * parent + 1;
        return left + 1 < size && isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    }

    private void put(final int item, final int where) {
        heap[where] = item;
        place[item] = where;
    }

    private boolean isBefore(final int one, final int other) {
        return keys[one] < keys[other] || keys[one] <= keys[other] && one < other;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Arrays;

/**
 * When things are due: items 0 up, each at one time or never; items due at the same time come by number. A binary heap
 * that knows where each item is. What is put off or cancelled keeps its place until it comes to the top, for it may be
 * set again before that.
 */
final class Agenda {
    private static final int NOWHERE = -1;

    /** Of each item, when it is due; infinite if it is not. */
    private final double[] times;
    /** Of each item, its place in the heap, or {@link #NOWHERE}. */
    private final int[] place;
    /** Items; the first {@link #size} count. */
    private final int[] heap;
    /** Beside {@link #heap}: the time by which the item has its place, at most when it is due. */
    private final double[] keys;
    private int size;

    /** Starts with nothing due. */
    Agenda(final int items) {
        times = new double[items];
        Arrays.fill(times, Double.POSITIVE_INFINITY);
        place = new int[items];
        Arrays.fill(place, NOWHERE);
        heap = new int[items];
        keys = new double[items];
    }

    /** When the next item is due; infinite if none is. */
    double next() {
        while (size > 0 && keys[0] < times[heap[0]]) {
            final int item = heap[0];
            if (times[item] < Double.POSITIVE_INFINITY) {
                sink(item, times[item]);
            } else {
                size--;
                sink(heap[size], keys[size]);
                // after that, for it may have been the last one itself
                place[item] = NOWHERE;
            }
        }
        return size > 0 ? keys[0] : Double.POSITIVE_INFINITY;
    }

    /** The next item, which is due no more; there must be one. */
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
        if (place[item] != NOWHERE) {
            if (time < keys[place[item]]) {
                rise(item, time, place[item]);
            }
        } else if (time < Double.POSITIVE_INFINITY) {
            rise(item, time, size++);
        }
    }

    void cancel(final int item) {
        times[item] = Double.POSITIVE_INFINITY;
    }

    /** Fills a hole with an item, or those above that are due later. */
    private void rise(final int item, final double key, final int from) {
        int hole = from;
        while (hole > 0 && isBefore(item, key, (hole - 1) / 2)) {
            move((hole - 1) / 2, hole);
            hole = (hole - 1) / 2;
        }
        put(item, key, hole);
    }

    /** Fills the top place with an item, or those below that are due earlier. */
    private void sink(final int item, final double key) {
        int hole = 0;
        int child = earlierChild(hole);
        while (child < size && !isBefore(item, key, child)) {
            move(child, hole);
            hole = child;
            child = earlierChild(hole);
        }
        put(item, key, hole);
    }

    /** Place of the child that is due first, or one past the end or more if there is none. */
    private int earlierChild(final int parent) {
        final int left = 2 * parent + 1;
        return left + 1 < size && isBefore(heap[left + 1], keys[left + 1], left) ? left + 1 : left;
    }

    private void move(final int from, final int to) {
        put(heap[from], keys[from], to);
    }

    private void put(final int item, final double key, final int where) {
        heap[where] = item;
        keys[where] = key;
        place[item] = where;
    }

    private boolean isBefore(final int item, final double key, final int other) {
        return key < keys[other] || key <= keys[other] && item < heap[other];
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Arrays;

/**
 * When things are due: items 0 up, each at one time or never. A binary heap that knows where each item is; items due at
 * the same time come by number.
 */
final class Agenda {
    private static final int ABSENT = -1;

    private final double[] times;
    private final int[] heap;
    private final int[] place;
    private int size;

    /** Starts with nothing due. */
    Agenda(final int items) {
        times = new double[items];
        heap = new int[items];
        place = new int[items];
        Arrays.fill(place, ABSENT);
    }

    /** When the next item is due; infinite if none is. */
    double next() {
        return size > 0 ? times[heap[0]] : Double.POSITIVE_INFINITY;
    }

    /** The next item, which is due no more. */
    int poll() {
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
        if (time == Double.POSITIVE_INFINITY) {
            cancel(item);
            return;
        }
        times[item] = time;
        if (place[item] == ABSENT) {
            place[item] = size++;
        }
        sink(item, rise(item, place[item]));
    }

    void cancel(final int item) {
        final int hole = place[item];
        if (hole != ABSENT) {
            place[item] = ABSENT;
            final int moved = heap[--size];
            if (moved != item) {
                sink(moved, rise(moved, hole));
            }
        }
    }

    /** Moves the items above that are due later down; returns the place that is free then. */
    private int rise(final int item, final int from) {
        int hole = from;
        while (hole > 0 && isBefore(item, heap[(hole - 1) / 2])) {
            put(heap[(hole - 1) / 2], hole);
            hole = (hole - 1) / 2;
        }
        return hole;
    }

    /** Moves the items below that are due earlier up, and puts the item there. */
    private void sink(final int item, final int from) {
        int hole = from;
        int child = earlierChild(hole);
        while (child < size && isBefore(heap[child], item)) {
            put(heap[child], hole);
            hole = child;
            child = earlierChild(hole);
        }
        put(item, hole);
    }

    /** Place of the child that is due first, or one past the end if there is none. */
    private int earlierChild(final int parent) {
        final int left = 2 * parent + 1;
        return left + 1 < size && isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    }

    private void put(final int item, final int where) {
        heap[where] = item;
        place[item] = where;
    }

    private boolean isBefore(final int one, final int other) {
        final int order = Double.compare(times[one], times[other]);
        return order < 0 || order == 0 && one < other;
    }
}

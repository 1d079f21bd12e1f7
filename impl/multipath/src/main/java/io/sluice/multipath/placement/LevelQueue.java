// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

/**
 * Links by the level at which each would be full, the lowest first and of equal ones the lowest number; a binary heap.
 * Levels only rise, and only the first one's is ever changed.
 */
final class LevelQueue {
    private final double[] levels;
    private final int[] heap;

    /**
     * Begins with all links.
     *
     * @param levels of each link, infinite for one that can't be full; kept and changed
     */
    LevelQueue(final double[] levels) {
        this.levels = levels;
        heap = new int[levels.length];
        for (int link = 0; link < heap.length; link++) {
            heap[link] = link;
        }
        for (int place = heap.length / 2 - 1; place >= 0; place--) {
            sink(place);
        }
    }

    boolean isEmpty() {
        return heap.length == 0 || Double.isInfinite(levels[heap[0]]);
    }

    /** The link that is full first. */
    int first() {
        return heap[0];
    }

    /** The level at which the first link is full. */
    double level() {
        return levels[heap[0]];
    }

    /** Raises the level of the first link. */
    void raise(final double level) {
        levels[heap[0]] = level;
        sink(0);
    }

    private void sink(final int from) {
        final int link = heap[from];
        int place = from;
        for (int child = 2 * place + 1; child < heap.length; child = 2 * place + 1) {
            if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], link)) {
                break;
            }
            heap[place] = heap[child];
            place = child;
        }
        heap[place] = link;
    }

    private boolean isBefore(final int one, final int other) {
        final int byLevel = Double.compare(levels[one], levels[other]);
        return byLevel < 0 || byLevel == 0 && one < other;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import java.util.stream.IntStream;

/** Work on numbered things, shared out over threads in slices of equal length. */
public final class Slices {
    private Slices() {
        // shares out, and has no instances
    }

    /** Work on one thing, by the thread of a number. */
    @FunctionalInterface
    public interface Work {
        void on(int thread, int number);
    }

    /**
     * Returns when the work on all things is done.
     *
     * @param count of things, which are numbered 0 up
     * @param threads the most that work at the same time, 1 or more
     * @param work may change only what belongs to the thing or to the number of the thread
     */
    public static void forEach(final int count, final int threads, final Work work) {
        IntStream.range(0, threads).parallel().forEach(thread -> {
            final int end = (int) ((long) count * (thread + 1) / threads);
            for (int number = (int) ((long) count * thread / threads); number < end; number++) {
                work.on(thread, number);
            }
        });
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import java.util.function.BooleanSupplier;

/**
 * When to be content, and who looks on.
 *
 * @param gap relative gap to prove, 0 or more
 * @param threads for the search of routes, 1 or more; the answer does not depend on it
 * @param isStopped asked between rounds, by any thread; when it says so, the best found is the answer, with its gap
 * @param observer told of each step
 */
public record Limits(double gap, int threads, BooleanSupplier isStopped, Observer observer) {
    public Limits {
        if (gap < 0 || threads < 1) {
            throw new IllegalArgumentException("gap " + gap + ", threads " + threads);
        }
    }

    /** Limits without an observer. */
    public Limits(final double gap, final int threads, final BooleanSupplier isStopped) {
        this(gap, threads, isStopped, Observer.NONE);
    }

    /** A proven gap of one in ten thousand, two threads, no time limit. */
    public static Limits standard() {
        return new Limits(1e-4, 2, () -> false);
    }
}

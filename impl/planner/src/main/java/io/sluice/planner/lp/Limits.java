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
    /** To be proven unless somebody says otherwise: one in ten thousand. */
    public static final double GAP = 1e-4;
    /** For the search of routes, unless somebody says otherwise. */
    public static final int THREADS = 2;

    public Limits {
        if (gap < 0 || threads < 1) {
            throw new IllegalArgumentException("gap " + gap + ", threads " + threads);
        }
    }

    /** Limits without an observer. */
    public Limits(final double gap, final int threads, final BooleanSupplier isStopped) {
        this(gap, threads, isStopped, Observer.NONE);
    }

    /** {@link #GAP} and {@link #THREADS}, and no time limit. */
    public static Limits standard() {
        return until(() -> false);
    }

    /** The standard limits, and a stop. */
    public static Limits until(final BooleanSupplier isStopped) {
        return new Limits(GAP, THREADS, isStopped);
    }

    /** The same limits, and somebody else who looks on. */
    public Limits observedBy(final Observer other) {
        return new Limits(gap, threads, isStopped, other);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

/** Looks on while a run of {@link ChainRouting} comes nearer to its optimum. */
@FunctionalInterface
public interface Observer {
    /** Looks the other way. */
    Observer NONE = (value, bound, gap) -> { };

    /**
     * Told of each bound; called by the thread that solves.
     *
     * @param value of the routes found so far, in the unit of the {@link Objective}
     * @param bound that no routes can beat, in the same unit
     * @param gap relative difference of the two; infinite while there are no routes within the capacities
     */
    void at(double value, double bound, double gap);

    /**
     * Told of all prices that prove a bound, be it worse than one before; {@link #at} follows.
     *
     * @param bound that these prices prove
     * @param prices of the whole capacity of each row, in a unit of their own; shared, not to be changed
     */
    default void priced(final double bound, final double[] prices) {
        // of interest only to who knows another bound
    }
}

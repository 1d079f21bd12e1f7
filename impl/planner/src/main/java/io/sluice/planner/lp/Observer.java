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
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

/** What chain routing optimises (section 4.2 of the paper). */
public enum Objective {
    /** Carry everything with the least sum of traffic times delay, (3); the value is that sum, in bit/s times us. */
    LATENCY,
    /** The largest alpha by which all traffic of chains can be multiplied and still be carried; a ratio. */
    SCALE,
    /** Carry as much as possible, counted where it enters, both directions; the value is in bit/s. */
    CARRIED;

    /** What is optimised unless somebody says otherwise. */
    public static final Objective USUAL = LATENCY;
}

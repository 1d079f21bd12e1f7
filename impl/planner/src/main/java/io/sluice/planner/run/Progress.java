// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.run;

/**
 * The gap at one time of a run.
 *
 * @param elapsedMs since the run began
 * @param value of the best routes, in the unit of the objective; not finite as long as there are none for all traffic
 * @param bound that no routes can beat
 * @param gap relative difference of the two; not finite as long as there is no value
 */
public record Progress(long elapsedMs, double value, double bound, double gap) { }

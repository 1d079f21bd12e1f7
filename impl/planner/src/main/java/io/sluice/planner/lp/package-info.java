// SPDX-License-Identifier: EPL-2.0
/**
 * SB-LP: chain routing to a proven gap, for three objectives.
 * <pre>
 *                    gap closed: done
 *   BlockDescent -------------------------------------------&gt; routes, bound, gap
 *        | routes near the optimum                                ^
 *        v                prices                                  | gap closed
 *   RestrictedMaster -------------------&gt; Pricing ----------------+
 *        ^                                   | routes that are missing, or dearer overload
 *        +-----------------------------------+
 * </pre>
 * {@link io.sluice.planner.lp.Trimming} makes routes within the capacities of those that are not yet; the best of them
 * are the answer whenever it is stopped, which {@link io.sluice.planner.lp.Lookout} tells the solver.
 *
 * <p>{@link io.sluice.planner.lp.CapacityPlanning} runs it twice, with the same addition at each site and then from
 * there with additions as columns; {@link io.sluice.planner.lp.RandomSplit} is a peer to compare with.
 */
package io.sluice.planner.lp;

// SPDX-License-Identifier: EPL-2.0
/**
 * SB-LP: chain routing to a proven gap, for three objectives.
 * <pre>
 *                    gap closed: done
 *   BlockDescent -------------------------------------------&gt; routes, bound, gap
 *        | routes near the optimum                                ^
 *        v                prices                                  | gap closed
 *   RestrictedMaster -------------------&gt; Pricing ----------------+
 *        ^                                   | routes that are missing
 *        +-----------------------------------+
 * </pre>
 */
package io.sluice.planner.lp;

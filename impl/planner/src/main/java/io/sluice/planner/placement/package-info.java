// SPDX-License-Identifier: EPL-2.0
/**
 * Hints where VNFs should run besides (VNF capacity planning, sections 4.2 and 4.3 of the paper).
 * <pre>
 *   PlacementTask --&gt; all candidates open: SB-LP gives a first bound and prices
 *                        |
 *                        v
 *                  PlacementSearch: choices     PlacementBound: bound (Lagrangian)
 *                        |                          |
 *                        |      few routes, gap still open: PlacementProgram (MIP): choice, bound
 *                        |                          |
 *                        +--&gt; SB-LP with each choice: value, hints with capacities, proven gap
 * </pre>
 */
package io.sluice.planner.placement;

// SPDX-License-Identifier: EPL-2.0
/**
 * Hints where VNFs should run besides (VNF capacity planning, sections 4.2 and 4.3 of the paper).
 * <pre>
 *   PlacementTask --&gt; all candidates open: SB-LP gives a first bound and prices
 *                          |                                  |
 *                     few routes                         many routes
 *                          v                                  v
 *                  PlacementProgram (MIP)         PlacementSearch  PlacementBound
 *                  choice, bound                  choice           bound (Lagrangian)
 *                          |                                  |
 *                          +--&gt; SB-LP with the choice --&gt; value, hints with capacities, proven gap
 * </pre>
 */
package io.sluice.planner.placement;

// SPDX-License-Identifier: EPL-2.0
/**
 * What all algorithms of the planner share: the problem in primitive arrays ({@link io.sluice.planner.core.Instance}),
 * the routing of the network below ({@link io.sluice.planner.core.Underlay}), and the search of the cheapest route of a
 * chain at given prices ({@link io.sluice.planner.core.RouteOracle}).
 */
package io.sluice.planner.core;

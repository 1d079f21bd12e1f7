// SPDX-License-Identifier: EPL-2.0
/**
 * Traffic engineering for service chains: the brain of Global Switchboard (Sharma et al., Middleware 2019, section 4).
 *
 * <pre>
 *   io.sluice.planner.model     what there is and what is asked, as values
 *         |
 *   io.sluice.planner.core      the same in arrays; cheapest routes at given prices
 *      |         |
 *     .lp       .dp             all chains exactly, capacity of sites; one chain at once
 *      |   \    /
 *      |   .plan                the routes of today, kept while chains, traffic and the network change
 *     .placement                new sites for VNFs
 * </pre>
 *
 * <p>Nothing here has a clock, a random source or static state: equal questions have equal answers, unless a run is
 * stopped from outside. A run of {@link io.sluice.planner.lp.ChainRouting} passes through these states:
 * <pre>
 *            a chain without any route: Unroutable
 *   CHECK --------------------------------------------------------------------+
 *     |                                                                       |
 *   DESCEND --------- gap closed ------------------------------------&gt; Routed |
 *     | stands still                                                   ^      |
 *   SOLVE --&gt; PRICE --- gap closed, nothing to add, or stopped --------+      |
 *     ^        |                                                       |      v
 *     +--------+                             beyond the capacities: Overloaded, Stopped
 * </pre>
 */
package io.sluice.planner;

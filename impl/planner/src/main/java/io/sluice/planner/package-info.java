// SPDX-License-Identifier: EPL-2.0
/**
 * Traffic engineering for service chains: the brain of Global Switchboard (Sharma et al., Middleware 2019, section 4).
 *
 * <pre>
 *   io.sluice.planner.model     what there is and what is asked, as values
 *      |         |
 *      |    .format             files with topologies, or with all of a problem
 *      |    .workload           problems made from topologies, by seed
 *      |
 *   io.sluice.planner.core      the same in arrays; cheapest routes at given prices
 *      |         |
 *     .lp       .dp             all chains exactly, capacity of sites; one chain at once
 *      |   \    /
 *      |   .plan                the routes of today, kept while chains, traffic and the network change
 *     .placement                new sites for VNFs
 *      |
 *     .run                      any of these with progress, a time limit and a way to cancel it
 *      |      \
 *     .mdsal  .cli              over RESTCONF and in the shell; from the command line
 * </pre>
 *
 * <p>Equal questions have equal answers, unless a run is stopped from outside: there is no static state, random choices
 * are made from a seed, and only {@code .run}, by the clock that it is given, {@code .mdsal} and {@code .cli} tell the
 * time. A run of
 * {@link io.sluice.planner.lp.ChainRouting} passes through these states:
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

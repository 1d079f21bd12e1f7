// SPDX-License-Identifier: EPL-2.0
/**
 * Graph algorithms on plain ints and longs: what the modules that decide need of a network, without knowing what a
 * switch or a link is.
 *
 * <ul>
 * <li>{@link io.sluice.graph.Multigraph}: the graph; immutable
 * <li>{@link io.sluice.graph.DisjointPaths}: k paths that share no link, node or shared-risk group, or as little as
 *     can be; the answer is a {@link io.sluice.graph.DisjointAnswer}
 * <li>{@link io.sluice.graph.ShortestPathDag}: the shortest path, and all equal ones
 * <li>{@link io.sluice.graph.MaxMin}: fair rates over fixed paths
 * </ul>
 *
 * <p>Nothing here has a clock, a thread, a random source or static state: equal questions have equal answers. A
 * {@link io.sluice.graph.DisjointPaths} owns a workspace, which passes through these states in each question by link or
 * node; it is idle again when the answer is given:
 * <pre>
 *                find            unit found               k units sent
 *        IDLE ---------&gt; SEARCH -----------&gt; PUSH --------------------&gt; DECOMPOSE --&gt; IDLE
 *                          |  ^               | fewer than k units sent                 ^
 *                          |  +---------------+                                         |
 *                          +-------------------------------------------------------------+
 *                            no way at all: unreachable
 * </pre>
 */
package io.sluice.graph;

// SPDX-License-Identifier: EPL-2.0
/**
 * Which server, and which way there: pure functions from what is known to what is chosen.
 * <pre>
 *  Demand (pieces, where each can be had) --+
 *                                           +--&gt; Placer --&gt; Placed (server, path there and back, rate) | Refused
 *  World (topology, placed flows, others' --+      |
 *         load)                                    +--&gt; review: the moves that are worth it
 * </pre>
 * The default strategy evaluates each choice by the max-min fair rates that all flows would get, so that servers and
 * links are weighed together; the others are the published method and what it is compared with. What a choice was
 * weighed against comes with it, for people to read.
 */
package io.sluice.multipath.placement;

// SPDX-License-Identifier: EPL-2.0
/**
 * The routes of today, kept while chains come and go and the network changes. {@link io.sluice.planner.plan.Plan} moves
 * one chain at a time and never another; only a {@link io.sluice.planner.plan.Change} of the network, or an operator
 * who takes up {@link io.sluice.planner.plan.Proposals}, moves chains that are in place.
 *
 * <pre>
 *              add: Refused, Unreachable
 *   (unknown) ---------------------------+
 *     |  ^                               |
 *     |  +-------------------------------+
 *     | add: Admitted, Oversubscribed
 *     v                remove
 *   PLACED -------------------------------&gt; (unknown)
 *     |  ^ change, or a network with room again: Plan.on
 *     v  |
 *   SHORT: placed with less than its traffic, after a change of the network
 * </pre>
 */
package io.sluice.planner.plan;

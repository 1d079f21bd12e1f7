// SPDX-License-Identifier: EPL-2.0
/**
 * The words that Sluice's modules share: values (what the network looks like, what a switch should hold) and the
 * interfaces between the modules that decide and the modules that act. Plain Java, no protocol, no datastore. One class
 * is neither: {@link io.sluice.api.Batches}, by which work that comes in bursts is done in few steps.
 *
 * <p>What a decider wants of a switch is declared, never sent. One declared object passes through these states:
 * <pre>
 *              declare                  every switch confirmed
 *   (absent) ----------&gt; INSTALLING ------------------------&gt; IN PLACE
 *                          |    ^                                |
 *          switch refused, |    | declare again, switch is back, | drift found by validate,
 *          switch away     v    | drift repaired                 | switch away, link to it lost
 *                        PENDING &lt;-------------------------------+
 *
 *   withdraw, from any state: WITHDRAWING -&gt; (absent)
 * </pre>
 * INSTALLING and WITHDRAWING last as long as the slowest switch takes to answer a barrier. PENDING is where an object
 * is parked; a switch that attaches, a new declaration or a {@code sync} wakes it.
 */
package io.sluice.api;

// SPDX-License-Identifier: EPL-2.0
/**
 * What the switches shall hold, and that they do: {@link io.sluice.southbound.program.Programmer} takes declarations of
 * owners, and for each switch a reconciler keeps what is declared, what the switch is believed to hold, and where the
 * two may differ. A switch passes through these states:
 * <pre>
 *             attaches              read, compared, repaired
 *   (away) ---------------&gt; READ ----------------------------&gt; AGREED
 *      ^                     ^                                  |    ^
 *      | detaches, from any  |   validate, sync, each 30 s      |    |  confirmed or refused
 *      |                     +----------------------------------+    |
 *      +---                                          declared -&gt; BATCH under way
 * </pre>
 * One batch or one reading is under way at a time; what is declared meanwhile is the next batch, before which the
 * switch is read if the last one had no answer. What nobody of Sluice owns is never touched. All state belongs to one
 * loop thread; nothing here knows OpenFlow's messages, which are in the package {@code mdsal} beneath.
 */
package io.sluice.southbound.program;

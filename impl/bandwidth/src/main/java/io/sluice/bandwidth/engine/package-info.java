// SPDX-License-Identifier: EPL-2.0
/**
 * Rounds over the network as it is, and the meters that hold flows to their rates. A flow of the configuration passes
 * through these states:
 * <pre>
 *                  bound by a link that others use too, or by its limit
 *   UNMETERED --------------------------------------------------------&gt; PENDING --switch confirms--&gt; IN PLACE
 *   idle, or     &lt;-------- idle, or the others are gone ---------------    |                             |
 *   alone                                                               &lt;--+---- other rate or port -----+
 * </pre>
 * An idle flow that has a limit keeps a meter of that. A flow whose hosts are not seen, or whose guarantee a link can't
 * carry, is PENDING with that reason, and a meter that it has stays; one whose packets can't be told from another's has
 * none. With a new controller a flow begins with what its switch holds of it, PENDING until that has been declared.
 */
package io.sluice.bandwidth.engine;

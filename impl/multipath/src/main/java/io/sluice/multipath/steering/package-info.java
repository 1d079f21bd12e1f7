// SPDX-License-Identifier: EPL-2.0
/**
 * From chosen paths to what the switches hold. Plain values in, plain values out: {@link
 * io.sluice.multipath.steering.Steering} is told which flow goes which way and answers with the objects to declare and
 * to withdraw; it calls nobody.
 *
 * <p>A flow is marked once, at the edge, with the label of its path; the label is followed from switch to switch:
 * <pre>
 *  client -- edge switch ---------- core switches ---------- edge switch -- server
 *            CLASSIFY               CLASSIFY: has a label     CLASSIFY: has a label
 *              connection             |  (fabric's entry)       |
 *              -&gt; label, server IP    v                         v
 *            STEER                  STEER                     STEER
 *              label -&gt; group         label -&gt; group            label ends here
 *                                                               v
 *            [flow object]          [path object: STEER       DELIVER (fabric's entries)
 *                                    on all its switches]
 * </pre>
 * Replies take a path of their own, marked at the server's edge switch, where a virtual address is put back as their
 * source. If client and server share a switch, CLASSIFY goes straight on to DELIVER.
 *
 * <p>Every hop repairs itself while the controller sleeps, for any one lost cable. The group of label 7 on switch b,
 * whose link to c may break:
 * <pre>
 *        7            7                     bucket 1: port to c up?   -&gt; out to c
 *   a --------&gt; b ----X----&gt; c              bucket 2: port to a up?   -&gt; label 9, out by the port of arrival
 *     &lt;--------        9    ^
 *        9                  |               9 is the detour around b-c to the egress switch c: plain entries,
 *     a --&gt; d --------------+               shared by all paths that cross b-c on their way to c
 * </pre>
 * Three kinds of object, whose numbers ({@link io.sluice.multipath.steering.ObjectKind}) order the steps: what is
 * declared first has the smaller number, what is withdrawn first the larger one.
 * <pre>
 *   detour:  (absent) --first hop needs it--&gt; shared --last hop gone or detour broken and replaced--&gt; (absent)
 *   path:    (absent) --first flow----------&gt; shared --last flow gone--&gt; (absent)
 *                                              |    ^
 *                                              +----+ a port of one of its detours went down: declared again
 *   flow:    (absent) --place--&gt; placed --withdraw--&gt; (absent)
 *                                |    ^
 *                                +----+ place again: another path, or another server
 * </pre>
 * Each object is compiled from its {@link io.sluice.multipath.steering.SteeringRecord} alone, so that a controller that
 * starts again and reads its records declares what the switches hold already, before it has seen any of them.
 */
package io.sluice.multipath.steering;

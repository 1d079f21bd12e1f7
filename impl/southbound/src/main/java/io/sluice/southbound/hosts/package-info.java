// SPDX-License-Identifier: EPL-2.0
/**
 * Where hosts are, and what the fabric says when one of them looks for another. Plain values in, plain values out; who
 * receives packets, sends them and keeps the hosts in the datastore calls these classes, one call at a time:
 * <pre>
 *   packet-in -&gt; PacketIn --+--&gt; HostTable.see ----&gt; HostChange: to the datastore, the snapshot, the DELIVER entries
 *                           |        | (known hosts)
 *                           |        v
 *                           +--&gt; Resolver.answer --&gt; PacketOut: to edge ports only
 *   first packet to nobody -----&gt; Resolver.probe ---&gt; PacketOut
 *   topology changed, timer ----&gt; HostTable.settle -&gt; HostChange
 * </pre>
 * First {@code see}, then {@code answer}: the asker is known when its question is answered or passed on.
 *
 * <p>There is no flooding inside the fabric and no spanning tree. A question whose answer is known is answered; any
 * other goes out of each edge port once, by the controller, so that loops between switches cannot multiply it.
 */
package io.sluice.southbound.hosts;

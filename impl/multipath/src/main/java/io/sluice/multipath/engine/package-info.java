// SPDX-License-Identifier: EPL-2.0
/**
 * The life of a flow, from the first packet of a connection, or a transfer's request, to its withdrawal.
 * <pre>
 *   first packet, transfer
 *        | placed by {@link io.sluice.multipath.placement}, compiled by {@link io.sluice.multipath.steering}
 *        v
 *   being installed --every switch confirmed--&gt; in place --link lost, better path--&gt; moving
 *        | refused by a switch                      |  ^                                  |
 *        v                                          |  +------------ confirmed -----------+
 *     pending ------- a switch attaches -----------&gt;| idle, released, no path left, server or service gone
 *                                                   v
 *                                               withdrawn
 * </pre>
 * A flow whose server is removed or drained stays in place for the service's drain time-out. Then UDP, slots and pieces
 * move to another server, and TCP connections are withdrawn ({@link io.sluice.multipath.engine.Drains}). Packets that
 * the ends of a withdrawn connection still send are refused ({@link io.sluice.multipath.engine.EndedConnections}).
 *
 * <p>The slots of a service with slots are such flows too, with many clients each; nobody has to ask for them, they are
 * not withdrawn while a switch has clients, and a lost path or server is replaced for all of them at once.
 *
 * <p>What is pending is tried again at each review too. Being installed and moving last as long as the slowest switch
 * takes. What is placed is kept ({@link io.sluice.multipath.engine.RecordStore}), so that a controller that restarts
 * goes on from there.
 */
package io.sluice.multipath.engine;

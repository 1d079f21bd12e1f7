// SPDX-License-Identifier: EPL-2.0
/**
 * The message bus: {@link io.sluice.bus.ZmqBus} for nodes, {@link io.sluice.bus.SiteProxy} for sites,
 * {@link io.sluice.bus.ProxyCommand} for a proxy that is a process, {@link io.sluice.bus.EmbeddedBus} for a proxy and a
 * node inside another one. All that is decided is decided in cores that know no socket, clock or thread.
 * <pre>
 *       EmbeddedBus, SiteBus                           what is configured
 *     |                       |
 *   ZmqBus ---- Loop ---- SiteProxy --- Doorman        sockets, threads, keys
 *     |                       |
 *   NodeCore               ProxyCore                   what a frame or a tick leads to
 *     |  RetainedLog          |  SubscriptionTable
 *     |  StreamTracker        |  Replays
 *     |  Requests             |  Inventory
 *     +-------- Link ---------+                        session, counts, credit, stale streams
 *                 |
 *         Frame, FrameCodec                            docs/wire/bus.md
 * </pre>
 * The states of a session and of a stream are drawn in docs/wire/bus.md and {@code StreamTracker}.
 */
package io.sluice.bus;

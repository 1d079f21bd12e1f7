// SPDX-License-Identifier: EPL-2.0
/**
 * What the network is: switches, ports, links, hosts and rates, and the entries that every switch needs so that packets
 * can be classified, discovered and delivered at all.
 *
 * <p>One loop thread owns all state of this package. A link passes through these states:
 * <pre>
 *            discovered, both ports up             a port goes down
 *   (unknown) -----------------------&gt; UP ---------------------------&gt; HIDDEN
 *       ^                               |  &lt;-------------------------    |
 *       |          discovery expired    |     both ports up again        |
 *       +-------------------------------+--------------------------------+
 * </pre>
 * HIDDEN lasts until the port is back or discovery gives the link up; only links that are UP are in a snapshot.
 */
package io.sluice.southbound.fabric;

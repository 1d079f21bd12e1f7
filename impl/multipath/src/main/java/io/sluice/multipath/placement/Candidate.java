// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.SwitchId;
import java.net.InetAddress;

/**
 * A place where a piece can be had.
 *
 * @param server its name
 * @param port transport port; 0 for any
 * @param edge switch that the server is attached to
 * @param load how busy the server is, 0 for idle, 1 for as much as it should serve
 * @param room how many more requests it takes
 */
public record Candidate(String server, InetAddress address, int port, SwitchId edge, double load, int room) { }

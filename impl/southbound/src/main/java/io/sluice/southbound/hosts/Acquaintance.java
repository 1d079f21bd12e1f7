// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import java.net.InetAddress;

/**
 * A host that has learned by ARP or neighbour discovery where another one is, and will ask again when it has forgotten.
 *
 * @param asker who asks
 * @param address the address that it asks for
 * @param mac where that is
 */
public record Acquaintance(Host asker, InetAddress address, MacAddress mac) { }

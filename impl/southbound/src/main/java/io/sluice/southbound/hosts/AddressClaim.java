// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import java.net.InetAddress;

/**
 * A station uses what belongs to another one: an IP address of another Ethernet address, or an Ethernet address that is
 * known at another port.
 *
 * @param mac Ethernet address of the claimant
 * @param address that it claims; of a claim to the Ethernet address, one that the owner of that has
 * @param port where the claimant was heard
 * @param moves true if the claim is to the Ethernet address
 */
record AddressClaim(MacAddress mac, InetAddress address, PortId port, boolean moves) {
    /** What is claimed: one check at a time is made of it. */
    Object subject() {
        return moves ? mac : address;
    }
}

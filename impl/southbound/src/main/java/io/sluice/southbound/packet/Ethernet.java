// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import io.sluice.api.MacAddress;

/**
 * The addresses of a frame.
 *
 * @param vlan VLAN identifier, 1..4095; 0 for a frame without a tag and for one that bears a priority only
 *     (IEEE 802.1Q, section 9.6)
 */
public record Ethernet(MacAddress destination, MacAddress source, int vlan) {
    public static final int UNTAGGED = 0;

    public Ethernet {
        if (vlan < 0 || vlan > 0xfff) {
            throw new IllegalArgumentException("VLAN " + vlan + " is not in 0..4095");
        }
    }
}

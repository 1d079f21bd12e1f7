// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.Inet6Address;

/**
 * The place of a fragment in the IP packet that it is part of (RFC 791, section 2.3; RFC 8200, section 4.5).
 *
 * @param identification number that all fragments of the packet have, 16 bits in IPv4 and 32 in IPv6
 * @param first true for the one that begins the packet: the others have no transport header
 */
public record Fragment(long identification, boolean first) {
    public Fragment {
        if (identification < 0 || identification > 0xffff_ffffL) {
            throw new IllegalArgumentException("identification " + identification + " is not in 0..2^32-1");
        }
    }

    /**
     * Returns the protocol and ports that flow entries see in this fragment of {@code connection}. Open vSwitch takes
     * the ports of every fragment for 0, those of the first one too, and the protocol of a later IPv6 fragment for 44
     * (ovs-ofctl(8), set-frags; ovs-fields(7), IP protocol).
     */
    public Connection matched(final Connection connection) {
        final boolean hidden = !first && connection.source() instanceof Inet6Address;
        return new Connection(connection.vlan(), hidden ? FlowMatch.PROTOCOL_IPV6_FRAGMENT : connection.protocol(),
            connection.source(), connection.destination(), 0, 0);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.MacAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who the fabric is towards hosts. */
public final class FabricAddress {
    /** Locally administered; stands for every owned address, and asks for hosts. */
    public static final MacAddress MAC = MacAddress.of("02:53:4c:00:00:01");

    /** The link-local address that goes with {@link #MAC} (RFC 4291, appendix A). */
    public static final InetAddress LINK_LOCAL = address("fe80::53:4cff:fe00:1");

    /** 0.0.0.0. */
    static final InetAddress NO_IPV4 = address("0.0.0.0");

    /** The group of all IPv6 nodes on a link (RFC 4291, section 2.7.1). */
    static final InetAddress ALL_NODES = address("ff02::1");

    private FabricAddress() {
        // constants only
    }

    private static InetAddress address(final String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("a literal address", e);
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.InetAddress;

/** An IPv4 or IPv6 prefix; {@code length} is 0..32 or 0..128. */
public record IpPrefix(InetAddress address, int length) {
    public IpPrefix {
        final int bits = address.getAddress().length * 8;
        if (length < 0 || length > bits) {
            throw new IllegalArgumentException("prefix length " + length + " of " + address.getHostAddress()
                + " is not in 0.." + bits);
        }
        if (hasBitsBehind(address.getAddress(), length)) {
            throw new IllegalArgumentException(address.getHostAddress() + "/" + length + " has host bits set");
        }
    }

    /** The prefix that holds {@code address} alone. */
    public static IpPrefix host(final InetAddress address) {
        return new IpPrefix(address, address.getAddress().length * 8);
    }

    public boolean isIpv6() {
        return address.getAddress().length == 16;
    }

    private static boolean hasBitsBehind(final byte[] octets, final int length) {
        for (int bit = length; bit < octets.length * 8; bit++) {
            if ((octets[bit / 8] >> 7 - bit % 8 & 1) != 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return address.getHostAddress() + "/" + length;
    }
}

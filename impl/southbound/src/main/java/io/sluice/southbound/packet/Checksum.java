// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import io.sluice.api.FlowMatch;
import java.net.InetAddress;

/** The Internet checksum (RFC 1071) as ICMPv6 uses it, with the pseudo-header of RFC 8200, section 8.1. */
final class Checksum {
    private Checksum() {
        // one function
    }

    /**
     * Returns the checksum, 0..65535, of an ICMPv6 message between two addresses. Over a message that already contains
     * its checksum the result is 0.
     */
    static int icmpv6(final InetAddress source, final InetAddress destination, final byte[] message) {
        long sum = message.length + FlowMatch.PROTOCOL_ICMPV6 + words(source.getAddress()) + words(destination.getAddress())
            + words(message);
        while (sum >> 16 != 0) {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        return (int) ~sum & 0xffff;
    }

    private static long words(final byte[] octets) {
        long sum = 0;
        for (int i = 0; i < octets.length; i++) {
            sum += (octets[i] & 0xff) << (i % 2 == 0 ? 8 : 0);
        }
        return sum;
    }
}

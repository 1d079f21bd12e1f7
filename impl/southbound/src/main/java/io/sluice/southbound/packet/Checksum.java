// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import java.net.InetAddress;

/** The Internet checksum (RFC 1071). */
final class Checksum {
    private Checksum() {
        // functions only
    }

    /** Returns the checksum, 0..65535, of {@code octets}; of octets that contain their checksum it is 0. */
    static int of(final byte[] octets) {
        return folded(words(octets));
    }

    /**
     * Returns the checksum, 0..65535, of a TCP, UDP or ICMPv6 message between two addresses, with the pseudo-header of
     * RFC 9293, section 3.1, or RFC 8200, section 8.1. Over a message that already contains its checksum the result is
     * 0.
     */
    static int of(final int protocol, final InetAddress source, final InetAddress destination, final byte[] message) {
        return folded(message.length + protocol + words(source.getAddress()) + words(destination.getAddress())
            + words(message));
    }

    /**
     * Returns what {@code checksum} becomes when {@code before}, an even number of octets that it covers, is replaced
     * by as many others (RFC 1624, equation 3).
     */
    static int adjusted(final int checksum, final byte[] before, final byte[] after) {
        final long complement = 0xffffL * (before.length / 2) - words(before);
        return folded((~checksum & 0xffff) + complement + words(after));
    }

    private static int folded(final long words) {
        long sum = words;
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

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import io.sluice.api.MacAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Reads big-endian fields in order and never beyond the end; an overrun names the header that it happened in. */
final class Cursor {
    private final byte[] octets;
    private int position;
    private int end;
    private String header = "Ethernet header";

    Cursor(final byte[] octets) {
        this.octets = octets;
        end = octets.length;
    }

    /** Names what is read from here on. */
    void header(final String name) {
        header = name;
    }

    int position() {
        return position;
    }

    int remaining() {
        return end - position;
    }

    /** Leaves {@code length} octets to read: what follows is padding. */
    void limit(final int length) throws MalformedFrameException {
        if (length < 0 || length > remaining()) {
            throw new MalformedFrameException(header + ": claims " + length + " octets of " + remaining());
        }
        end = position + length;
    }

    void skip(final int count) throws MalformedFrameException {
        take(count);
    }

    int u8() throws MalformedFrameException {
        return octets[take(1)] & 0xff;
    }

    int u16() throws MalformedFrameException {
        return (int) number(2);
    }

    long u32() throws MalformedFrameException {
        return number(4);
    }

    MacAddress mac() throws MalformedFrameException {
        return new MacAddress(number(6));
    }

    InetAddress ipv4() throws MalformedFrameException {
        return address(4);
    }

    InetAddress ipv6() throws MalformedFrameException {
        return address(16);
    }

    /** The octets from {@code from} up to the end. */
    byte[] since(final int from) {
        return Arrays.copyOfRange(octets, from, end);
    }

    private InetAddress address(final int length) throws MalformedFrameException {
        final int at = take(length);
        final var value = Arrays.copyOfRange(octets, at, at + length);
        try {
            // InetAddress.getByAddress would turn an IPv4-mapped address into an IPv4 one
            return length == 4 ? InetAddress.getByAddress(value) : Inet6Address.getByAddress(null, value, -1);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("addresses have 4 or 16 octets", e);
        }
    }

    private long number(final int length) throws MalformedFrameException {
        final int at = take(length);
        long value = 0;
        for (int i = at; i < at + length; i++) {
            value = value << 8 | octets[i] & 0xff;
        }
        return value;
    }

    private int take(final int count) throws MalformedFrameException {
        if (count > remaining()) {
            throw new MalformedFrameException(header + ": cut short");
        }
        final int at = position;
        position += count;
        return at;
    }
}

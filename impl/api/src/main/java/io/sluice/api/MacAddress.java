// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.HexFormat;

/** An Ethernet address; {@code value} holds its 48 bits, first octet highest. */
public record MacAddress(long value) implements Comparable<MacAddress> {
    public static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);

    public MacAddress {
        if (value < 0 || value > 0xffff_ffff_ffffL) {
            throw new IllegalArgumentException("not 48 bits: 0x" + Long.toHexString(value));
        }
    }

    /** Reads {@code aa:bb:cc:dd:ee:ff}, in either case. */
    public static MacAddress of(final String text) {
        if (!text.matches("([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}")) {
            throw new IllegalArgumentException("not an Ethernet address (aa:bb:cc:dd:ee:ff): " + text);
        }
        return new MacAddress(Long.parseLong(text.replace(":", ""), 16));
    }

    /** True for group addresses, broadcast included (IEEE 802, individual/group bit). */
    public boolean isGroup() {
        return (value >> 40 & 1) != 0;
    }

    @Override
    public int compareTo(final MacAddress other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        final var bytes = new byte[6];
        for (int i = 0; i < 6; i++) {
            bytes[i] = (byte) (value >> 8 * (5 - i));
        }
        return HexFormat.ofDelimiter(":").formatHex(bytes);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.slots;

import io.sluice.api.MaskedIp;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The slots of clients: a client belongs to the slot that the lowest bits of its address name.
 *
 * @param slots how many, a power of two, 2..64
 * @param ipv6 whether the addresses are IPv6
 */
public record SlotMask(int slots, boolean ipv6) {
    public SlotMask {
        if (slots < 2 || slots > 64 || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException(slots + " slots are not a power of two in 2..64");
        }
    }

    /** The clients of a slot, 0..{@code slots} - 1. */
    public MaskedIp clients(final int slot) {
        return new MaskedIp(low(slot), low(slots - 1));
    }

    /** The slot of a client. */
    public static int slotOf(final InetAddress client, final int slots) {
        return client.getAddress()[client.getAddress().length - 1] & slots - 1;
    }

    /** The slot whose clients are {@code clients}. */
    public static int numberOf(final MaskedIp clients) {
        return new BigInteger(1, clients.address().getAddress()).intValueExact();
    }

    /** How many slots there are, {@code clients} being one. */
    public static int count(final MaskedIp clients) {
        final byte[] bits = clients.mask().getAddress();
        return bits[bits.length - 1] + 1;
    }

    private InetAddress low(final int bits) {
        final byte[] octets = new byte[ipv6 ? 16 : 4];
        octets[octets.length - 1] = (byte) bits;
        try {
            return InetAddress.getByAddress(octets);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}

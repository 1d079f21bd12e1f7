// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.OptionalInt;

/**
 * IPv4 or IPv6 addresses that agree in the bits of {@code mask}: a prefix, one address, or any other pattern, as
 * OpenFlow can match it (1.3.5, section 7.2.3.7).
 */
public record MaskedIp(InetAddress address, InetAddress mask) {
    public MaskedIp {
        final byte[] octets = address.getAddress();
        final byte[] bits = mask.getAddress();
        if (octets.length != bits.length) {
            throw new IllegalArgumentException("IPv4 and IPv6 mixed: " + address + ", " + mask);
        }
        for (int i = 0; i < octets.length; i++) {
            if ((octets[i] & ~bits[i]) != 0) {
                throw new IllegalArgumentException(address.getHostAddress() + " has bits outside the mask "
                    + mask.getHostAddress());
            }
        }
    }

    /** This one address. */
    public static MaskedIp host(final InetAddress address) {
        return prefix(address, address.getAddress().length * 8);
    }

    /**
     * The addresses of a prefix.
     *
     * @param length 0..32 or 0..128
     * @throws IllegalArgumentException if {@code length} is out of range, or {@code address} has bits behind it
     */
    public static MaskedIp prefix(final InetAddress address, final int length) {
        final byte[] mask = new byte[address.getAddress().length];
        if (length < 0 || length > mask.length * 8) {
            throw new IllegalArgumentException("prefix length " + length + " of " + address.getHostAddress()
                + " is not in 0.." + mask.length * 8);
        }
        for (int bit = 0; bit < length; bit++) {
            mask[bit / 8] |= (byte) (0x80 >> bit % 8);
        }
        return new MaskedIp(address, ip(mask));
    }

    /** What {@code address} has in the bits of {@code mask}. */
    public static MaskedIp of(final InetAddress address, final InetAddress mask) {
        final byte[] octets = address.getAddress();
        final byte[] bits = mask.getAddress();
        for (int i = 0; i < Math.min(octets.length, bits.length); i++) {
            octets[i] &= bits[i];
        }
        return new MaskedIp(ip(octets), mask);
    }

    public boolean isIpv6() {
        return address.getAddress().length == 16;
    }

    /** True if it is one address. */
    public boolean isHost() {
        for (byte octet : mask.getAddress()) {
            if (octet != -1) {
                return false;
            }
        }
        return true;
    }

    /** Length of the prefix that it is, if it is one. */
    public OptionalInt prefixLength() {
        int length = 0;
        int last = -1;
        final byte[] bits = mask.getAddress();
        for (int bit = 0; bit < bits.length * 8; bit++) {
            if ((bits[bit / 8] & 0x80 >> bit % 8) != 0) {
                length++;
                last = bit;
            }
        }
        return last == length - 1 ? OptionalInt.of(length) : OptionalInt.empty();
    }

    /** True if {@code other} is of the same kind and agrees in the mask's bits. */
    public boolean contains(final InetAddress other) {
        return other.getAddress().length == mask.getAddress().length && of(other, mask).address.equals(address);
    }

    /** Those of these addresses that have the first {@code length} bits of {@code other}, which is one of them. */
    public MaskedIp narrowedTo(final InetAddress other, final int length) {
        final byte[] bits = mask.getAddress();
        for (int bit = 0; bit < length; bit++) {
            bits[bit / 8] |= (byte) (0x80 >> bit % 8);
        }
        return of(other, ip(bits));
    }

    private static InetAddress ip(final byte[] octets) {
        try {
            return octets.length == 16 ? Inet6Address.getByAddress(null, octets, -1) : InetAddress.getByAddress(octets);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(octets.length + " octets are no address", e);
        }
    }

    /** The address with the length of its prefix, or with its mask. */
    @Override
    public String toString() {
        final var length = prefixLength();
        return address.getHostAddress() + "/"
            + (length.isPresent() ? length.getAsInt() : mask.getHostAddress());
    }
}

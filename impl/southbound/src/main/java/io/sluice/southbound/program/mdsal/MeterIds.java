// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import java.util.OptionalInt;

/**
 * How one switch's meter ids relate to meter numbers: the owner's four bits first, then as many bits of the owner's own
 * number as the switch's meter table has room for. Ids of owner 0 are other people's.
 */
final class MeterIds {
    private static final int OWNER_BITS = 4;
    private static final int NUMBER_BITS = 16;

    private final int bits;

    /**
     * Creates the mapping.
     *
     * @param largest largest meter id that the switch takes; 0 if it has no meters
     */
    MeterIds(final long largest) {
        bits = Math.min(NUMBER_BITS, 63 - Long.numberOfLeadingZeros(largest + 1) - OWNER_BITS);
    }

    /**
     * Returns the switch's id for a meter number.
     *
     * @throws IllegalArgumentException if the switch has no room for it
     */
    long id(final int number) {
        final int own = number & 0xffff;
        if (bits < 0 || own >= 1 << bits) {
            throw new IllegalArgumentException("the switch has room for " + (bits < 0 ? 0 : 1 << bits)
                + " meters of each of Sluice's features, which are numbered over all switches, and this would be the "
                + (own + 1) + "th");
        }
        return (long) (number >> NUMBER_BITS) << bits | own;
    }

    /** Returns the meter number of an id; nothing if the id is not Sluice's. */
    OptionalInt number(final long id) {
        if (bits < 0 || id >> bits == 0 || id >> bits > 15) {
            return OptionalInt.empty();
        }
        return OptionalInt.of((int) (id >> bits) << NUMBER_BITS | (int) (id & (1L << bits) - 1));
    }
}

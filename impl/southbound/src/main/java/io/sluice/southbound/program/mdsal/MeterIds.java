// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.Owner;
import java.util.OptionalInt;

/**
 * How one switch's meter ids relate to meter numbers. The upper half of the ids is for {@link Owner#METERS_FLOWS}, in
 * the lower one an owner's four bits come first, and both have as many bits of the owner's own number as the switch's
 * meter table has room for. Ids of owner 0 are other people's.
 */
final class MeterIds {
    private static final int OWNER_BITS = 4;
    private static final int NUMBER_BITS = 16;

    /** Bits of an owner's own number in the lower half. */
    private final int bits;
    /** Bits of half of the ids. */
    private final int half;

    /**
     * Creates the mapping.
     *
     * @param largest largest meter id that the switch takes; 0 if it has no meters
     */
    MeterIds(final long largest) {
        bits = Math.min(NUMBER_BITS, 63 - Long.numberOfLeadingZeros(largest + 1) - 1 - OWNER_BITS);
        half = OWNER_BITS + bits;
    }

    /**
     * Returns the switch's id for a meter number.
     *
     * @throws IllegalArgumentException if the switch has no room for it
     */
    long id(final int number) {
        final int owner = Owner.ownerOfMeter(number);
        final int own = Owner.meterOfNumber(number);
        if (own >= room(owner)) {
            throw new IllegalArgumentException("the switch has room for " + room(owner)
                + " meters of this feature of Sluice, which are numbered from 0, and not for meter " + own);
        }
        return (owner == Owner.METERS_FLOWS ? 1L << half : (long) owner << bits) | own;
    }

    /** How many meters of an owner the switch can hold. */
    private int room(final int owner) {
        final int ownBits = owner == Owner.METERS_FLOWS ? Math.min(NUMBER_BITS, half) : bits;
        return bits < 0 ? 0 : 1 << ownBits;
    }

    /** Returns the meter number of an id; nothing if the id is not Sluice's. */
    OptionalInt number(final long id) {
        if (bits < 0) {
            return OptionalInt.empty();
        }
        final boolean isUpper = id >> half == 1;
        final int owner = isUpper ? Owner.METERS_FLOWS : (int) Math.min(Integer.MAX_VALUE, id >> bits);
        final long own = id & (1L << (isUpper ? half : bits)) - 1;
        final boolean isOurs = owner >= 1 && owner < 1 << OWNER_BITS && own < room(owner)
            && isUpper == (owner == Owner.METERS_FLOWS);
        return isOurs ? OptionalInt.of(owner << NUMBER_BITS | (int) own) : OptionalInt.empty();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

/**
 * An application that declares entries. Its number, 1..15, and an object's number mark every entry on a switch, so that
 * an entry can be traced to its object, adopted after a restart, and told from foreign ones:
 * <pre>
 *  cookie    63            48 47        40 39                                        0
 *            | 0x534c ("SL") | owner      | object                                    |
 *  group id  31      24 23   20 19                       0
 *            | 0x53     | owner | number                  |
 *  meter     19   16 15                                    0
 *            | owner | number                               |
 * </pre>
 * A switch holds fewer meters than meter numbers can tell apart: each switch has its own mapping of meter numbers to
 * the ids that it can hold. Half of these are for {@link #METERS_FLOWS}, which has a meter for each flow; in the other
 * half the owner comes first, so that ids of owner 0 stay free for others.
 */
public record Owner(String name, int number) {
    /** Number of the owner that has half of each switch's meters. */
    public static final int METERS_FLOWS = 3;

    /** Largest number of an object. */
    public static final long MAX_OBJECT = (1L << 40) - 1;
    /** Largest number of a group. */
    public static final int MAX_GROUP = (1 << 20) - 1;

    /** Largest number of a meter. */
    public static final int MAX_METER = (1 << 16) - 1;

    /** What the cookies of all Sluice's flow entries have in common, in the bits of {@link #COOKIE_MARK_MASK}. */
    public static final long COOKIE_MARK = 0x534cL << 48;
    public static final long COOKIE_MARK_MASK = 0xffffL << 48;

    private static final long GROUP_MARK = 0x53L << 24;
    private static final long GROUP_MARK_MASK = 0xffL << 24;

    public Owner {
        if (number < 1 || number > 15) {
            throw new IllegalArgumentException("owner number " + number + " of " + name + " is not in 1..15");
        }
    }

    /** Cookie of all flow entries of object {@code object}, 0..{@link #MAX_OBJECT}. */
    public long cookie(final long object) {
        if (object < 0 || object > MAX_OBJECT) {
            throw new IllegalArgumentException("object " + object + " of " + name + " is not in 0.." + MAX_OBJECT);
        }
        return COOKIE_MARK | (long) number << 40 | object;
    }

    /** Group id of this owner's group {@code group}, 0..{@link #MAX_GROUP}. */
    public long groupId(final int group) {
        if (group < 0 || group > MAX_GROUP) {
            throw new IllegalArgumentException("group " + group + " of " + name + " is not in 0.." + MAX_GROUP);
        }
        return GROUP_MARK | (long) number << 20 | group;
    }

    /** Meter number of this owner's meter {@code meter}, 0..{@link #MAX_METER}. */
    public int meterNumber(final int meter) {
        if (meter < 0 || meter > MAX_METER) {
            throw new IllegalArgumentException("meter " + meter + " of " + name + " is not in 0.." + MAX_METER);
        }
        return number << 16 | meter;
    }

    /** True if a flow entry with this cookie is Sluice's. */
    public static boolean ownsCookie(final long cookie) {
        return (cookie & COOKIE_MARK_MASK) == COOKIE_MARK;
    }

    /** True if a group with this id is Sluice's. */
    public static boolean ownsGroup(final long groupId) {
        return (groupId & GROUP_MARK_MASK) == GROUP_MARK;
    }

    /** Number of the owner of a cookie for which {@link #ownsCookie} holds. */
    public static int ownerOfCookie(final long cookie) {
        return (int) (cookie >> 40 & 0xff);
    }

    /** Number of the owner of a meter number from {@link #meterNumber}. */
    public static int ownerOfMeter(final int meterNumber) {
        return meterNumber >> 16;
    }

    /** The owner's own number of a meter number from {@link #meterNumber}. */
    public static int meterOfNumber(final int meterNumber) {
        return meterNumber & MAX_METER;
    }

    /** Object of a cookie for which {@link #ownsCookie} holds. */
    public static long objectOfCookie(final long cookie) {
        return cookie & MAX_OBJECT;
    }

    /** Number of the owner of a group id for which {@link #ownsGroup} holds. */
    public static int ownerOfGroup(final long groupId) {
        return (int) (groupId >> 20 & 0xf);
    }
}

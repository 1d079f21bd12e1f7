// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.Owner;

/**
 * Kinds of declared object and the layout of their numbers ({@link Owner#MAX_OBJECT}):
 * <pre>
 *  39     36 35                                   0
 *  | kind   | label number (20 bits) or flow id    |
 * </pre>
 * An object needs only objects of smaller kinds: declare in ascending, withdraw in descending order of the numbers.
 */
public enum ObjectKind {
    /** A way around a lost link; numbered by its label. */
    DETOUR(1),
    /** A path with its groups; numbered by its label. */
    PATH(2),
    /** A flow's entries at the two edges; numbered by its id. */
    FLOW(3);

    /** Largest number within a kind. */
    public static final long MAX_NUMBER = (1L << 36) - 1;

    private final long prefix;

    ObjectKind(final long code) {
        prefix = code << 36;
    }

    /**
     * Number of the object to declare.
     *
     * @throws IllegalArgumentException if {@code number} is not in 0..{@link #MAX_NUMBER}
     */
    public long object(final long number) {
        if (number < 0 || number > MAX_NUMBER) {
            throw new IllegalArgumentException(this + " number " + number + " is not in 0.." + MAX_NUMBER);
        }
        return prefix | number;
    }

    /** True if {@code object} is of this kind. */
    public boolean includes(final long object) {
        return (object & ~MAX_NUMBER) == prefix;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.HashSet;
import java.util.List;
import java.util.function.Function;

/** What several values check of themselves. */
final class Checks {
    /** Sums of weights stay in a long, and exact in a double. */
    private static final long LARGEST_WEIGHT = 1_000_000;

    private Checks() {
        // functions alone
    }

    static void weight(final long weight) {
        if (weight < 1 || weight > LARGEST_WEIGHT) {
            throw new IllegalArgumentException("weight " + weight + " is not in 1.." + LARGEST_WEIGHT);
        }
    }

    static void notNegative(final String what, final long value) {
        if (value < 0) {
            throw new IllegalArgumentException("negative " + what + ": " + value);
        }
    }

    static void positive(final String what, final long value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " is not positive: " + value);
        }
    }

    static <T> void unique(final List<T> items, final Function<T, String> name) {
        final var seen = new HashSet<String>();
        for (final var item : items) {
            if (!seen.add(name.apply(item))) {
                throw new IllegalArgumentException("two are named " + name.apply(item));
            }
        }
    }
}

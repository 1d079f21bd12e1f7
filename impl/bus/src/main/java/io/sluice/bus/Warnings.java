// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;

/**
 * Decides whether something that others cause is worth a line in the log: a thing once, as long as it is among the
 * latest {@value #REMEMBERED}, and {@value #BURST} things a minute at most. What had to be left out may be told later.
 * Not thread-safe.
 */
final class Warnings {
    /** Things a minute. */
    static final int BURST = 10;

    private static final int REMEMBERED = 1000;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final LinkedHashSet<String> told = new LinkedHashSet<>();
    private Instant begun = Instant.MIN;
    private int inMinute;

    Warnings(final InstantSource clock) {
        this.clock = clock;
    }

    /** Returns whether to tell of it now. */
    boolean isDue(final String thing) {
        if (told.contains(thing)) {
            return false;
        }
        final var now = clock.instant();
        if (!now.isBefore(begun.equals(Instant.MIN) ? now : begun.plus(MINUTE))) {
            begun = now;
            inMinute = 0;
        }
        if (inMinute >= BURST) {
            return false;
        }
        inMinute++;
        told.add(thing);
        if (told.size() > REMEMBERED) {
            told.removeFirst();
        }
        return true;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that stands still until it is moved; begins at 0 ns and 1970-01-01T00:00:00Z. Thread-safe. */
public final class ManualClock implements LongSupplier, InstantSource {
    private final AtomicLong nowNs = new AtomicLong();

    /** Moves the clock on. */
    public void advance(final Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time doesn't run backwards: " + duration);
        }
        nowNs.addAndGet(duration.toNanos());
    }

    /** Nanoseconds since the clock was made. */
    @Override
    public long getAsLong() {
        return nowNs.get();
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(nowNs.get());
    }
}

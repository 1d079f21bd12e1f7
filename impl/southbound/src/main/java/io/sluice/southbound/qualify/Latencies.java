// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import io.sluice.southbound.qualify.Check.Figure;
import io.sluice.southbound.qualify.Check.Unit;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/** Times of a hundred repetitions. */
final class Latencies {
    static final int REPETITIONS = 100;
    private static final long NS_PER_US = 1000;

    private final LongSupplier nowNs;

    /**
     * Creates a stop-watch.
     *
     * @param nowNs monotonic time
     */
    Latencies(final LongSupplier nowNs) {
        this.nowNs = nowNs;
    }

    /**
     * Repeats {@code step}, which takes the number of the repetition and returns why it failed; the first failure ends
     * the check.
     */
    Check measure(final Check.Name name, final IntFunction<Optional<String>> step) {
        final var tookUs = new long[REPETITIONS];
        for (int i = 0; i < REPETITIONS; i++) {
            final long start = nowNs.getAsLong();
            final var failure = step.apply(i);
            tookUs[i] = (nowNs.getAsLong() - start) / NS_PER_US;
            if (failure.isPresent()) {
                return Check.fails(name, failure.orElseThrow());
            }
        }
        Arrays.sort(tookUs);
        return Check.works(name, new Figure("p50", percentile(tookUs, 50), Unit.MICROSECONDS),
            new Figure("p99", percentile(tookUs, 99), Unit.MICROSECONDS));
    }

    /** The value that {@code percent} of 100 are not above (nearest rank). */
    private static long percentile(final long[] sorted, final int percent) {
        return sorted[(percent * sorted.length + 99) / 100 - 1];
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.Locale;

/**
 * Writes a line for each second: its number since 1970, tuples completed, and their latency in microseconds from the
 * source to here: mean, median, 99th percentile, most. A second in which nothing was completed has zeros.
 */
final class CompletionLog {
    /** The line above all others, which is not written here. */
    static final String HEADER = "second,completed,mean_us,median_us,p99_us,most_us\n";
    private static final long SECOND_US = 1_000_000;
    private static final double MEDIAN = 0.5;
    private static final double P99 = 0.99;
    private static final int FIRST_ROOM = 1024;

    private final Writer out;
    private long[] latenciesUs = new long[FIRST_ROOM];
    private int completed;
    private long second = -1;

    CompletionLog(final Writer out) {
        this.out = out;
    }

    /** A tuple is complete that left its source at {@code createdUs}. */
    void completed(final long createdUs, final long nowUs) {
        final long now = nowUs / SECOND_US;
        if (second < 0) {
            second = now;
        }
        while (second < now) {
            writeSecond();
        }
        if (completed == latenciesUs.length) {
            latenciesUs = Arrays.copyOf(latenciesUs, 2 * completed);
        }
        latenciesUs[completed++] = Math.max(0, nowUs - createdUs);
    }

    private void writeSecond() {
        Arrays.sort(latenciesUs, 0, completed);
        final double mean = Arrays.stream(latenciesUs, 0, completed).average().orElse(0);
        write(String.format(Locale.ROOT, "%d,%d,%.0f,%d,%d,%d%n", second, completed, mean, quantile(MEDIAN),
            quantile(P99), quantile(1)));
        completed = 0;
        second++;
    }

    private long quantile(final double part) {
        return completed == 0 ? 0 : latenciesUs[Math.max(0, (int) Math.ceil(part * completed) - 1)];
    }

    private void write(final String line) {
        try {
            out.write(line);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("results can't be written", e);
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/** What the subscribers of a site heard. Thread-safe. */
final class Hearing {
    private static final double US_PER_NS = 1e-3;

    private final BitSet[] heard;
    private final List<Long> latencies = new ArrayList<>();
    private final BitSet ready = new BitSet();
    private long received;
    private long duplicates;
    private long torn;
    private long lastNs;

    Hearing(final int subscribers) {
        heard = new BitSet[subscribers];
        Arrays.setAll(heard, each -> new BitSet());
    }

    /** Takes a message of the warm-up; returns whether all subscribers have had one by now, for the first time. */
    synchronized boolean warm(final int subscriber) {
        final boolean before = ready.cardinality() == heard.length;
        ready.set(subscriber);
        return !before && ready.cardinality() == heard.length;
    }

    /** Takes the body of a message. */
    synchronized void take(final int subscriber, final String body) {
        final var read = Workload.read(body);
        if (read.isEmpty()) {
            torn++;
            return;
        }
        final var message = read.orElseThrow();
        lastNs = System.nanoTime();
        if (heard[subscriber].get(message.number())) {
            duplicates++;
        } else {
            heard[subscriber].set(message.number());
            received++;
            latencies.add(lastNs - message.sentNs());
        }
    }

    /** Returns a JSON object: counts over all subscribers, latencies in microseconds, when the last message came. */
    synchronized String report() {
        final long[] sorted = latencies.stream().mapToLong(Long::longValue).sorted().toArray();
        return String.format(Locale.ROOT, "{\"received\": %d, \"duplicates\": %d, \"torn\": %d, \"last_ns\": %d, "
            + "\"p50_us\": %.1f, \"p99_us\": %.1f}", received, duplicates, torn, lastNs, percentile(sorted, 50),
            percentile(sorted, 99));
    }

    private static double percentile(final long[] sorted, final int percent) {
        return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) * percent / 100] * US_PER_NS;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import io.sluice.api.Bus;
import java.util.BitSet;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a subscriber heard of each stream, whose messages are numbered from 0. Thread-safe. */
final class Numbering implements Bus.Listener {
    private static final long NS_PER_US = 1000;

    private final Map<String, Heard> streams = new TreeMap<>();
    private long torn;
    private long gone;
    private long slowestNs;

    /** The numbers of a stream. */
    private static final class Heard {
        private final BitSet numbers = new BitSet();
        private long duplicates;
        private long disordered;

        void take(final int number) {
            if (numbers.get(number)) {
                duplicates++;
            } else if (number < numbers.length()) {
                disordered++;
            }
            numbers.set(number);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT,
                "{\"received\": %d, \"end\": %d, \"duplicates\": %d, \"disordered\": %d}", numbers.cardinality(),
                numbers.length(), duplicates, disordered);
        }
    }

    @Override
    public synchronized void message(final Bus.Message message) {
        final var heard = streams.computeIfAbsent(message.publisher() + " " + message.topic(), key -> new Heard());
        if (!message.body().equals(Workload.WARM_UP)) {
            Workload.read(message.body()).ifPresentOrElse(read -> {
                heard.take(read.number());
                slowestNs = Math.max(slowestNs, System.nanoTime() - read.sentNs());
            }, () -> torn++);
        }
    }

    @Override
    public synchronized void gap(final Bus.Gap gap) {
        gone += gap.messages();
        System.err.println(gap);
    }

    /**
     * Returns a JSON object: bodies that are none of ours, messages that the bus told as gone, how long the slowest
     * message took, and for each stream how many numbers came, the one after the highest, how many came again and how
     * many after a higher one.
     */
    synchronized String report() {
        final var each = streams.entrySet().stream().map(entry -> '"' + entry.getKey() + "\": " + entry.getValue())
            .collect(Collectors.joining(", "));
        return String.format(Locale.ROOT, "{\"torn\": %d, \"gone\": %d, \"slowest_us\": %d, \"streams\": {%s}}", torn,
            gone, slowestNs / NS_PER_US, each);
    }
}

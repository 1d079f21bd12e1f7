// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** How often each word was counted in the last seconds. */
final class SlidingCounts {
    /** The most frequent first, then by name. */
    static final Comparator<Map.Entry<String, Long>> MOST_FREQUENT =
        Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey());

    private final Map<String, Long>[] seconds;
    private final Map<String, Long> totals = new HashMap<>();
    private long latest;

    /** Counts over so many seconds, the current one included. */
    @SuppressWarnings("unchecked")
    SlidingCounts(final int windowSeconds) {
        seconds = new Map[windowSeconds];
        for (int at = 0; at < windowSeconds; at++) {
            seconds[at] = new HashMap<>();
        }
    }

    /** Counts a word; time does not go back. */
    void count(final String word, final long second) {
        advance(second);
        seconds[at(latest)].merge(word, 1L, Long::sum);
        totals.merge(word, 1L, Long::sum);
    }

    /** The most frequent words, at most so many. */
    List<Map.Entry<String, Long>> top(final int number) {
        final var best = new PriorityQueue<Map.Entry<String, Long>>(MOST_FREQUENT.reversed());
        totals.forEach((word, count) -> {
            best.add(Map.entry(word, count));
            if (best.size() > number) {
                best.remove();
            }
        });
        return best.stream().sorted(MOST_FREQUENT).toList();
    }

    private void advance(final long second) {
        final long from = Math.max(latest + 1, second - seconds.length + 1);
        for (long each = from; each <= second; each++) {
            final var expired = seconds[at(each)];
            expired.forEach((word, count) ->
                totals.computeIfPresent(word, (same, total) -> total.equals(count) ? null : total - count));
            expired.clear();
        }
        latest = Math.max(latest, second);
    }

    private int at(final long second) {
        return (int) (second % seconds.length);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** How often each word was counted in the last seconds. */
final class SlidingCounts {
    /** The most frequent first, then by name. */
    static final Comparator<Map.Entry<String, Long>> MOST_FREQUENT =
        Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey());

    private final Map<String, Long>[] seconds;
    private final Map<String, Long> totals = new HashMap<>();
    private final SortedSet<Map.Entry<String, Long>> ranking = new TreeSet<>(MOST_FREQUENT);
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
        change(word, 1);
    }

    /** The most frequent words, at most so many. */
    List<Map.Entry<String, Long>> top(final int number) {
        return ranking.stream().limit(number).toList();
    }

    private void advance(final long second) {
        final long from = Math.max(latest + 1, second - seconds.length + 1);
        for (long each = from; each <= second; each++) {
            final var expired = seconds[at(each)];
            expired.forEach((word, count) -> change(word, -count));
            expired.clear();
        }
        latest = Math.max(latest, second);
    }

    private void change(final String word, final long by) {
        final long before = totals.getOrDefault(word, 0L);
        ranking.remove(Map.entry(word, before));
        if (before + by == 0) {
            totals.remove(word);
        } else {
            totals.put(word, before + by);
            ranking.add(Map.entry(word, before + by));
        }
    }

    private int at(final long second) {
        return (int) (second % seconds.length);
    }
}

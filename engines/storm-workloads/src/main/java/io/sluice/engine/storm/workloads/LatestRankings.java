// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What each of those who count told last. A word is counted by one of them. */
final class LatestRankings {
    private final Map<Integer, List<Map.Entry<String, Long>>> byTask = new HashMap<>();

    void told(final int task, final List<Map.Entry<String, Long>> ranking) {
        byTask.put(task, ranking);
    }

    /** The most frequent words of all, at most so many. */
    List<Map.Entry<String, Long>> top(final int number) {
        return byTask.values().stream().flatMap(List::stream).sorted(SlidingCounts.MOST_FREQUENT).limit(number)
            .toList();
    }
}

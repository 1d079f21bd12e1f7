// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.PathLabel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Records with several users, found by their label or by what they are for (their key). A record goes with its last
 * user. Of two records for one thing the later is found by key; the users of the earlier keep that.
 */
final class SharedRecords<K, R extends LabelledRecord> {
    private final Function<R, K> keyOf;
    private final Map<K, R> byKey = new HashMap<>();
    private final Map<Long, R> byLabel = new TreeMap<>();
    private final Map<Long, Integer> users = new HashMap<>();

    SharedRecords(final Function<R, K> keyOf) {
        this.keyOf = keyOf;
    }

    Optional<R> find(final K key) {
        return Optional.ofNullable(byKey.get(key));
    }

    Optional<R> find(final PathLabel label) {
        return Optional.ofNullable(byLabel.get(label.number()));
    }

    /** All records, by label. */
    List<R> all() {
        return List.copyOf(byLabel.values());
    }

    /** Adds a record, still without users, or replaces the one with the same label. */
    void put(final R record) {
        byKey.put(keyOf.apply(record), record);
        byLabel.put(record.label().number(), record);
    }

    /** Counts a user more. */
    void enter(final PathLabel label) {
        users.merge(label.number(), 1, Integer::sum);
    }

    /** Counts a user less; returns the record if that was the last one, and forgets it. */
    Optional<R> leave(final PathLabel label) {
        if (users.computeIfPresent(label.number(), (number, count) -> count == 1 ? null : count - 1) != null) {
            return Optional.empty();
        }
        final var record = byLabel.remove(label.number());
        byKey.remove(keyOf.apply(record), record);
        return Optional.of(record);
    }
}

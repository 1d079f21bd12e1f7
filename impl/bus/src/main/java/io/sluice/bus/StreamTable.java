// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import io.sluice.api.TopicFilter;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a proxy or subscriber knows of each stream, within bounds: so many streams of a publisher, and of all together
 * {@value #PUBLISHERS} times as many. A stream that was withdrawn is forgotten after a day. A publisher that has too
 * many loses one that is withdrawn, or else the one that has been without a message for longest: one of an earlier
 * start, since a publisher keeps to the bound itself. Looking up a filter takes a step for each stream that matches,
 * however many others there are. Not thread-safe.
 *
 * @param <V> what is known of a stream
 */
final class StreamTable<V> {
    /** How many publishers may have as many streams as one may have. */
    static final int PUBLISHERS = 16;

    private final int limit;
    private final Map<NodeName, SequencedMap<StreamId, V>> publishers = new HashMap<>();
    private final NavigableMap<String, Map<StreamId, V>> byTopic = new TreeMap<>();
    private final Withdrawals<StreamId> withdrawals = new Withdrawals<>();
    private int size;

    /**
     * Makes an empty table.
     *
     * @param limit streams of a publisher
     */
    StreamTable(final int limit) {
        this.limit = limit;
    }

    int size() {
        return size;
    }

    /** Returns what is known of the stream, or null. */
    V get(final StreamId stream) {
        final var streams = publishers.get(stream.publisher());
        return streams == null ? null : streams.get(stream);
    }

    /**
     * Notes that the stream has a new message.
     *
     * @return false if it is a new stream and there is no room for it
     */
    boolean put(final StreamId stream, final V value) {
        final boolean isNew = get(stream) == null;
        if (isNew && !makeRoom(stream.publisher())) {
            return false;
        }
        publishers.computeIfAbsent(stream.publisher(), key -> new LinkedHashMap<>()).putLast(stream, value);
        byTopic.computeIfAbsent(stream.topic().text(), key -> new LinkedHashMap<>()).put(stream, value);
        size += isNew ? 1 : 0;
        return true;
    }

    /** Notes whether the stream's last value is withdrawn. */
    void note(final StreamId stream, final boolean isWithdrawn) {
        withdrawals.note(stream, isWithdrawn && get(stream) != null);
    }

    private boolean makeRoom(final NodeName publisher) {
        final var streams = publishers.get(publisher);
        if (streams != null && streams.size() >= limit) {
            remove(streams.keySet().stream().filter(withdrawals::contains).findFirst()
                .orElseGet(() -> streams.firstEntry().getKey()));
        }
        if (size >= PUBLISHERS * limit) {
            withdrawals.pollOldest().ifPresent(this::remove);
        }
        return size < PUBLISHERS * limit;
    }

    private void remove(final StreamId stream) {
        final var streams = publishers.get(stream.publisher());
        if (streams != null && streams.remove(stream) != null) {
            withdrawals.note(stream, false);
            size--;
            if (streams.isEmpty()) {
                publishers.remove(stream.publisher());
            }
            byTopic.computeIfPresent(stream.topic().text(), (topic, named) -> {
                named.remove(stream);
                return named.isEmpty() ? null : named;
            });
        }
    }

    /** Forgets the streams on topics of the filter for which the condition holds. */
    void removeIf(final TopicFilter filter, final Predicate<StreamId> condition) {
        matching(filter).stream().flatMap(streams -> streams.keySet().stream()).filter(condition).toList()
            .forEach(this::remove);
    }

    /** Returns the streams on each topic that the filter matches, by topic in ASCII order. */
    private Collection<Map<StreamId, V>> matching(final TopicFilter filter) {
        final var first = filter.text();
        if (!filter.isPrefix()) {
            return byTopic.containsKey(first) ? List.of(byTopic.get(first)) : List.of();
        }
        final var end = first.substring(0, first.length() - 1) + (char) ('/' + 1);
        return byTopic.subMap(first, end).values();
    }

    /** Shows what is known of streams on topics of the filter, by topic in ASCII order. */
    void forEach(final TopicFilter filter, final BiConsumer<StreamId, V> action) {
        matching(filter).forEach(streams -> streams.forEach(action));
    }

    /** Returns what is known of the streams of a publisher. */
    Map<StreamId, V> of(final NodeName publisher) {
        final var streams = publishers.get(publisher);
        return streams == null ? Map.of() : new LinkedHashMap<>(streams);
    }

    /** Returns what is known of all streams. */
    Stream<V> values() {
        return publishers.values().stream().flatMap(streams -> streams.values().stream());
    }

    void forEach(final BiConsumer<StreamId, V> action) {
        publishers.values().forEach(streams -> streams.forEach(action));
    }

    /** Lets a quarter of a second pass. */
    void tick() {
        withdrawals.tick().forEach(this::remove);
    }
}

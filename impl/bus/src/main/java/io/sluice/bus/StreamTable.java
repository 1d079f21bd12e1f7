// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a proxy or subscriber knows of each stream, within bounds: so many streams of a publisher, and of all together
 * {@value #PUBLISHERS} times as many. A stream that was withdrawn is forgotten after a day. A publisher that has too
 * many loses one that is withdrawn, or else the one that has been without a message for longest: one of an earlier
 * start, since a publisher keeps to the bound itself. Not thread-safe.
 *
 * @param <V> what is known of a stream
 */
final class StreamTable<V> {
    /** How many publishers may have as many streams as one may have. */
    static final int PUBLISHERS = 16;

    private final int limit;
    private final Map<NodeName, SequencedMap<StreamId, V>> publishers = new HashMap<>();
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
        }
    }

    void removeIf(final Predicate<StreamId> condition) {
        publishers.values().stream().flatMap(streams -> streams.keySet().stream()).filter(condition).toList()
            .forEach(this::remove);
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

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What can be asked of a proxy beside its state. A listing has so many topics or filters at most, each with all who
 * publish on it or have it; last values are those of all publishers on a topic. An answer takes a look at each stream
 * that matches, or at each filter. Not thread-safe.
 */
final class Inventory {
    private static final Comparator<StreamState> BY_PUBLISHER =
        Comparator.comparing(stream -> stream.publisher().toString());

    private final StreamTable<Frame> lastValues;
    private final SubscriptionTable<Peer> subscriptions;

    Inventory(final StreamTable<Frame> lastValues, final SubscriptionTable<Peer> subscriptions) {
        this.lastValues = lastValues;
        this.subscriptions = subscriptions;
    }

    /** Lists the first topics that match; the total is that of the streams that match. */
    Listing<TopicState> topics(final TopicFilter filter, final int limit) {
        final var first = new First<StreamState>(limit);
        final var total = new int[1];
        lastValues.forEach(filter, (stream, last) -> {
            total[0]++;
            first.add(stream.topic().text(), () -> StreamState.of(stream, last));
        });
        return new Listing<>(first.byName.entrySet().stream().map(found -> {
            final var topic = new Topic(found.getKey());
            return new TopicState(topic, found.getValue().stream().sorted(BY_PUBLISHER).toList(),
                names(subscriptions.matching(topic)));
        }).toList(), total[0]);
    }

    /** Lists the first filters; the total is that of filters. */
    Listing<FilterState> filters(final int limit) {
        final var first = new First<Set<Peer>>(limit);
        subscriptions.forEach((filter, holders) -> first.add(filter, () -> holders));
        return new Listing<>(first.byName.entrySet().stream()
            .map(found -> new FilterState(new TopicFilter(found.getKey()), names(found.getValue().getFirst())))
            .toList(), subscriptions.size());
    }

    /** Returns the last values on a topic, by publisher; those that were withdrawn are left out. */
    List<LastValue> lastValues(final Topic topic) {
        final var found = new ArrayList<LastValue>();
        lastValues.forEach(TopicFilter.of(topic), (stream, last) -> {
            if (last.body().length > 0) {
                found.add(new LastValue(StreamState.of(stream, last), last.text()));
            }
        });
        found.sort(Comparator.comparing(LastValue::stream, BY_PUBLISHER));
        return found;
    }

    private static List<String> names(final Collection<Peer> peers) {
        return peers.stream().map(Peer::name).sorted().toList();
    }

    /** The names that are first in order, each with what belongs to it. */
    private static final class First<T> {
        private final TreeMap<String, List<T>> byName = new TreeMap<>();
        private final int limit;

        First(final int limit) {
            this.limit = limit;
        }

        /** Makes the item if it is among the first. */
        void add(final String name, final Supplier<T> item) {
            final boolean full = byName.size() >= limit;
            if (full && name.compareTo(byName.lastKey()) > 0) {
                return;
            }
            if (full && !byName.containsKey(name)) {
                byName.pollLastEntry();
            }
            byName.computeIfAbsent(name, key -> new ArrayList<>()).add(item.get());
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Who wants which topics. Looking up a topic takes a step for each of its segments, however many filters there are.
 *
 * @param <T> a subscriber
 */
final class SubscriptionTable<T> {
    private final Map<String, Set<T>> byFilter = new HashMap<>();

    /** Returns false if it was there. */
    boolean add(final TopicFilter filter, final T subscriber) {
        return byFilter.computeIfAbsent(filter.text(), key -> new LinkedHashSet<>()).add(subscriber);
    }

    /** Returns false if it was not there. */
    boolean remove(final TopicFilter filter, final T subscriber) {
        final var subscribers = byFilter.get(filter.text());
        if (subscribers == null || !subscribers.remove(subscriber)) {
            return false;
        }
        if (subscribers.isEmpty()) {
            byFilter.remove(filter.text());
        }
        return true;
    }

    /** Removes every filter of the subscriber, and returns them. */
    List<TopicFilter> removeAll(final T subscriber) {
        final var removed = byFilter.entrySet().stream().filter(entry -> entry.getValue().contains(subscriber))
            .map(entry -> new TopicFilter(entry.getKey())).toList();
        removed.forEach(filter -> remove(filter, subscriber));
        return removed;
    }

    /** Returns how many different filters there are. */
    int size() {
        return byFilter.size();
    }

    /** Shows each filter, as text, with its subscribers. */
    void forEach(final BiConsumer<String, Set<T>> action) {
        byFilter.forEach(action);
    }

    /** Returns the subscribers that have exactly this filter. */
    Set<T> holders(final TopicFilter filter) {
        return Collections.unmodifiableSet(byFilter.getOrDefault(filter.text(), Set.of()));
    }

    /**
     * Returns all filters, those that are {@code first} first: who had a filter in an earlier session is entitled to
     * more than one that is new, so what both match has to be met by the former.
     */
    List<TopicFilter> filters(final Predicate<TopicFilter> first) {
        return byFilter.keySet().stream().map(TopicFilter::new)
            .sorted(Comparator.comparing(filter -> !first.test(filter))).toList();
    }

    /** Returns each subscriber that has a filter that matches, once. */
    Set<T> matching(final Topic topic) {
        final var found = new LinkedHashSet<T>(byFilter.getOrDefault(topic.text(), Set.of()));
        for (int slash = topic.text().lastIndexOf('/'); slash >= 0;
                slash = topic.text().lastIndexOf('/', slash - 1)) {
            found.addAll(byFilter.getOrDefault(topic.text().substring(0, slash + 1), Set.of()));
        }
        return found;
    }
}

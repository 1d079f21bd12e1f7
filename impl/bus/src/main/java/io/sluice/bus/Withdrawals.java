// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was withdrawn, oldest first: it is known for a day more, so that all who were cut off hear of it, or until its
 * place is needed. Not thread-safe.
 *
 * @param <K> a topic or stream
 */
final class Withdrawals<K> {
    /** Ticks after which a withdrawal is forgotten: a day. */
    static final int EXPIRY_TICKS = 24 * 3600 * 4;

    private final Map<K, Long> since = new LinkedHashMap<>();
    private long now;

    /** Notes whether the last value is a withdrawal. */
    void note(final K key, final boolean isWithdrawn) {
        since.remove(key);
        if (isWithdrawn) {
            since.put(key, now);
        }
    }

    boolean contains(final K key) {
        return since.containsKey(key);
    }

    /** Forgets the one that was withdrawn first, and returns it. */
    Optional<K> pollOldest() {
        final var oldest = since.keySet().stream().findFirst();
        oldest.ifPresent(since::remove);
        return oldest;
    }

    /** Lets a quarter of a second pass; forgets those whose time is over, and returns them. */
    List<K> tick() {
        now++;
        final var over = new ArrayList<K>();
        final var each = since.entrySet().iterator();
        while (each.hasNext()) {
            final var oldest = each.next();
            if (now - oldest.getValue() < EXPIRY_TICKS) {
                break;
            }
            over.add(oldest.getKey());
            each.remove();
        }
        return over;
    }
}

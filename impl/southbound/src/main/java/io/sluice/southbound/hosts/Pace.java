// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lets each key pass once in an interval, and at most {@code capacity} keys together: that bounds both the memory and
 * the total rate. What passed longest ago is first in the map.
 */
final class Pace {
    private final long intervalNs;
    private final int capacity;
    private final Map<Object, Long> passedNs = new LinkedHashMap<>();

    Pace(final long intervalNs, final int capacity) {
        this.intervalNs = intervalNs;
        this.capacity = capacity;
    }

    /** True if {@code key} may pass now; that counts as its passage. */
    boolean permits(final Object key, final long nowNs) {
        final var oldest = passedNs.values().iterator();
        while (oldest.hasNext() && nowNs - oldest.next() >= intervalNs) {
            oldest.remove();
        }
        return passedNs.size() < capacity && passedNs.putIfAbsent(key, nowNs) == null;
    }
}

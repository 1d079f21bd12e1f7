// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Addresses whose owner does not answer, or is at a port that is not up. They are asked for at all edge ports: at once,
 * after 1 s, 2 s more, 4 s more and so on. After {@link #LONGEST_NS} the address is asked for at ports that have just
 * come up only.
 *
 * <p>All times are of one monotonic clock, in nanoseconds. Not thread-safe.
 */
final class AddressSearch {
    /** Pause after the first question. Each later one is twice as long. */
    static final long FIRST_NS = 1_000_000_000L;
    /** The longest pause; after it there are no more questions to all ports. */
    static final long LONGEST_NS = 64 * FIRST_NS;
    /** Questions come in turns of this distance. */
    static final long TURN_NS = 100_000_000L;
    /** Addresses that are asked for in one turn, at most. */
    static final int ADDRESSES_OF_TURN = 32;

    private final Map<InetAddress, Pause> searches = new LinkedHashMap<>();
    private long turnNs = Long.MIN_VALUE;

    private record Pause(long endsNs, long lengthNs) {
        boolean isOver(final long nowNs) {
            return lengthNs <= LONGEST_NS && endsNs <= nowNs;
        }
    }

    /** Searches for an address, unless that is done already. */
    void begin(final InetAddress address, final long nowNs) {
        searches.putIfAbsent(address, new Pause(nowNs, FIRST_NS));
    }

    /** Ends the searches for addresses that nobody has any more. */
    void retain(final Predicate<InetAddress> owned) {
        searches.keySet().removeIf(owned.negate());
    }

    /** Ends the search for an address that has answered. */
    void end(final InetAddress address) {
        searches.remove(address);
    }

    /** Returns all addresses that have not answered. */
    Set<InetAddress> addresses() {
        return new LinkedHashSet<>(searches.keySet());
    }

    /** Returns the addresses to ask for now. */
    List<InetAddress> due(final long nowNs) {
        final var due = new ArrayList<InetAddress>();
        if (nowNs < turnNs) {
            return due;
        }
        for (var search : searches.entrySet()) {
            if (due.size() == ADDRESSES_OF_TURN) {
                break;
            }
            final var pause = search.getValue();
            if (pause.isOver(nowNs)) {
                due.add(search.getKey());
                search.setValue(new Pause(nowNs + pause.lengthNs(), 2 * pause.lengthNs()));
            }
        }
        if (!due.isEmpty()) {
            turnNs = nowNs + TURN_NS;
        }
        return due;
    }

    /** Returns when there is something to ask next; nothing while there is nothing. */
    OptionalLong nextNs() {
        final var next = searches.values().stream().filter(pause -> pause.lengthNs() <= LONGEST_NS)
            .mapToLong(Pause::endsNs).min();
        return next.isPresent() ? OptionalLong.of(Math.max(next.getAsLong(), turnNs)) : next;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Owner;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the objects of all owners declare for one switch. Several objects may declare one key, as when a floating
 * address goes from one host to another. The object that declared it first holds the key. The others wait in the order
 * in which they came, and the next one takes over when the holder gives the key up:
 * <pre>
 *   (absent) --declare, key free----------------&gt; holds --give up--&gt; (absent)
 *       |                                           ^
 *       +----declare, key held--&gt; waits --first in line when the holder gives up--+
 * </pre>
 * An object is named by its cookie. Not thread-safe.
 */
final class Declarations {
    private final Map<EntryKey, Declaration> holders = new HashMap<>();
    private final Map<EntryKey, SequencedMap<Long, Held.Known>> waiting = new HashMap<>();

    private record Declaration(long cookie, Held.Known entry) { }

    /** Returns the entry of the object that holds {@code key}, or null. */
    Held.Known get(final EntryKey key) {
        final var holder = holders.get(key);
        return holder == null ? null : holder.entry();
    }

    /** Returns what the switch should hold, by key. */
    Map<EntryKey, Held.Known> all() {
        final var all = new LinkedHashMap<EntryKey, Held.Known>();
        holders.forEach((key, holder) -> all.put(key, holder.entry()));
        return all;
    }

    /** Returns the numbers of the owners that hold a key. */
    Set<Integer> owners() {
        return holders.values().stream().map(holder -> holder.entry().owner()).collect(Collectors.toSet());
    }

    /** True if the object declares {@code entry}, whether or not it holds the key. */
    boolean has(final long cookie, final EntryKey key, final Held.Known entry) {
        final var holder = holders.get(key);
        return holder != null && (holder.cookie() == cookie ? holder.entry().equals(entry)
            : entry.equals(waiting.getOrDefault(key, new LinkedHashMap<>()).get(cookie)));
    }

    /** Declares; returns the cookie of the object that holds the key now. */
    long put(final long cookie, final EntryKey key, final Held.Known entry) {
        final var holder = holders.get(key);
        if (holder == null || holder.cookie() == cookie) {
            holders.put(key, new Declaration(cookie, entry));
            return cookie;
        }
        waiting.computeIfAbsent(key, contested -> new LinkedHashMap<>()).put(cookie, entry);
        return holder.cookie();
    }

    /** Ends the declaration of one object; an unknown one changes nothing. */
    void remove(final long cookie, final EntryKey key) {
        final var holder = holders.get(key);
        if (holder != null && holder.cookie() == cookie) {
            holders.remove(key);
            succeed(key);
        } else {
            waiting.computeIfPresent(key, (contested, line) ->
                line.remove(cookie) != null && line.isEmpty() ? null : line);
        }
    }

    /** Ends all declarations of an owner; returns the keys that it held. */
    Set<EntryKey> removeOwner(final int owner) {
        waiting.values().forEach(line -> line.keySet().removeIf(cookie -> Owner.ownerOfCookie(cookie) == owner));
        waiting.values().removeIf(Map::isEmpty);
        final var held = holders.entrySet().stream()
            .filter(holder -> Owner.ownerOfCookie(holder.getValue().cookie()) == owner)
            .map(Map.Entry::getKey).collect(Collectors.toCollection(HashSet::new));
        held.forEach(holders::remove);
        held.forEach(this::succeed);
        return held;
    }

    private void succeed(final EntryKey key) {
        final var line = waiting.get(key);
        if (line != null) {
            final var next = line.pollFirstEntry();
            holders.put(key, new Declaration(next.getKey(), next.getValue()));
            if (line.isEmpty()) {
                waiting.remove(key);
            }
        }
    }
}

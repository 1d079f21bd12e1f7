// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * How what a switch holds differs from what it should hold.
 *
 * @param agreed number of entries that are as declared
 * @param foreign number of entries that are not Sluice's
 * @param unread number of declared entries that are there and could not be read, which do not count as differences
 */
public record Comparison(int agreed, int foreign, int unread, List<Difference> differences) {
    /** How one entry differs. */
    public record Difference(EntryKey key, Kind kind) { }

    /** The cause of a difference. */
    public enum Kind {
        /** Declared, and not on the switch. */
        MISSING,
        /** Declared, and on the switch with other contents. */
        CHANGED,
        /** On the switch, and not declared. */
        STALE,
        /** Needed by what an application knows, and not declared. */
        UNDECLARED,
        /** Declared, and not needed by what an application knows. */
        UNNEEDED
    }

    public Comparison {
        differences = List.copyOf(differences);
    }

    /**
     * Compares.
     *
     * @param settled says of an owner's number whether everything it wants has been declared; entries of others are not
     *     stale, they may be declared yet
     */
    public static Comparison of(final Map<EntryKey, Held.Known> declared, final SwitchSession.Contents contents,
            final IntPredicate settled) {
        final var differences = new ArrayList<Difference>();
        int agreed = 0;
        int unread = 0;
        for (var entry : declared.entrySet()) {
            final var held = contents.owned().get(entry.getKey());
            if (held == null) {
                differences.add(new Difference(entry.getKey(), Kind.MISSING));
            } else if (held instanceof Held.Unread) {
                unread++;
            } else if (held.equals(entry.getValue())) {
                agreed++;
            } else {
                differences.add(new Difference(entry.getKey(), Kind.CHANGED));
            }
        }
        contents.owned().forEach((key, held) -> {
            if (!declared.containsKey(key) && settled.test(held.owner())) {
                differences.add(new Difference(key, Kind.STALE));
            }
        });
        return new Comparison(agreed, contents.foreign(), unread, differences);
    }

    /** This comparison, with what owners need and do not declare, or the other way round. */
    Comparison with(final Map<EntryKey, Kind> gaps) {
        if (gaps.isEmpty()) {
            return this;
        }
        final var all = new ArrayList<>(differences.stream()
            .filter(difference -> !gaps.containsKey(difference.key())).toList());
        gaps.forEach((key, kind) -> all.add(new Difference(key, kind)));
        return new Comparison(agreed, foreign, unread, all);
    }
}

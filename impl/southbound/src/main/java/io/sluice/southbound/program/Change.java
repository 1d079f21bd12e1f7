// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import java.util.Comparator;

/**
 * One message to a switch.
 *
 * @param held the entry to put, or the entry to remove as the switch holds it
 */
public record Change(Kind kind, EntryKey key, Held held) {
    /** What to do with the entry; REPLACE presumes that the switch holds one with this key. */
    public enum Kind { ADD, REPLACE, REMOVE }

    /**
     * Order in a batch: by rank, and flows so that no table hands packets on to one that lacks its entries. Additions
     * begin with the last table, removals with the first.
     */
    static final Comparator<Change> ORDER = Comparator.comparingInt(Change::rank)
        .thenComparingInt(change -> change.key() instanceof EntryKey.FlowKey flow
            ? change.kind() == Kind.REMOVE ? flow.tableId() : -flow.tableId() : 0);

    /**
     * Place in a batch, smallest first: meters and groups before the flows that use them, additions before removals,
     * flows gone before their groups.
     */
    public int rank() {
        final int rank = switch (key) {
            case EntryKey.MeterKey meter -> 0;
            case EntryKey.GroupKey group -> 1;
            case EntryKey.FlowKey flow -> 2;
            case EntryKey.AlienKey alien -> 2;
        };
        return kind == Kind.REMOVE ? 5 - rank : rank;
    }
}

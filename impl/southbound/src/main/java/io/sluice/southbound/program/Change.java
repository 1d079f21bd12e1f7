// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

/**
 * One message to a switch.
 *
 * @param held the entry to put, or the entry to remove as the switch holds it
 */
public record Change(Kind kind, EntryKey key, Held held) {
    /** What to do with the entry; REPLACE presumes that the switch holds one with this key. */
    public enum Kind { ADD, REPLACE, REMOVE }

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

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
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Entry;

/** An entry as a switch holds it, or should. */
public sealed interface Held {
    /** Number of the owner whose mark it bears. */
    int owner();

    /**
     * An entry that Sluice could have made.
     *
     * @param cookie of a flow; 0 for groups and meters
     */
    record Known(Entry entry, int owner, long cookie) implements Held { }

    /**
     * An entry with Sluice's mark that says what Sluice never says, so that it must have been changed by somebody else.
     *
     * @param handle what the session needs to remove it
     */
    record Unknown(int owner, Object handle) implements Held { }

    /** An entry with Sluice's mark that is there, of which the contents could not be read. */
    record Unread(int owner) implements Held { }
}

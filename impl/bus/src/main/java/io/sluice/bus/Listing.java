// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.util.List;

/**
 * A part of something long.
 *
 * @param entries the first ones, in order
 * @param total how much there is, in the unit that the question says
 */
public record Listing<T>(List<T> entries, int total) {
    public Listing {
        entries = List.copyOf(entries);
    }
}

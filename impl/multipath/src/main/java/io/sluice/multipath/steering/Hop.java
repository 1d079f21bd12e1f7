// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.Link;
import io.sluice.api.PortId;

/**
 * One direction of a cable, as far as it has to be remembered.
 *
 * @param out where packets leave a switch
 * @param in where they reach the next
 */
public record Hop(PortId out, PortId in) {
    public static Hop of(final Link link) {
        return new Hop(link.source(), link.destination());
    }

    @Override
    public String toString() {
        return out + "->" + in;
    }
}

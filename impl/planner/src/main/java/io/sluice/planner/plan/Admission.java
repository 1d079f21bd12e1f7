// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.api.Bandwidth;

/** What becomes of a chain that asks for its traffic to be carried, all other chains staying where they are. */
public sealed interface Admission {
    /** All of it is carried, within the capacities. */
    record Admitted() implements Admission { }

    /**
     * All of it is carried, as was asked for, though there is no room for it.
     *
     * @param bottleneck the resource that is overfull by it, by name
     * @param fits how much there was room for, counted at the largest stage, both directions
     */
    record Oversubscribed(String bottleneck, Bandwidth fits) implements Admission { }

    /**
     * There is not enough room.
     *
     * @param bottleneck the fullest resource (link, site or VNF at a site) of the route that it would hurt least
     * @param fits how much there is room for, counted at the largest stage, both directions
     */
    record Refused(String bottleneck, Bandwidth fits) implements Admission { }

    /** There is no route, whatever the traffic: a VNF has no open deployment in reach, or an end is cut off. */
    record Unreachable() implements Admission { }
}

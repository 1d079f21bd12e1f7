// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import java.util.List;
import java.util.Map;

/**
 * A plan on another network.
 *
 * @param plan the new one; the old one is as it was
 * @param moved chains whose routes differ, in the order in which they were planned
 * @param shortOf chains that don't get all of their traffic carried, with the reason
 */
public record Replanned(Plan plan, List<String> moved, Map<String, Admission> shortOf) {
    public Replanned {
        moved = List.copyOf(moved);
        shortOf = Map.copyOf(shortOf);
    }
}

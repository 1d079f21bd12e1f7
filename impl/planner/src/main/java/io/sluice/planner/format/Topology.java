// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import io.sluice.planner.model.Link;
import java.util.List;

/**
 * What a topology file says. Capacities and demands are often missing from such files; a
 * {@link io.sluice.planner.workload.BackboneModel} fills them in.
 *
 * @param nodes names
 * @param arcs each direction of a link for itself
 * @param demands traffic matrix; empty if the file has none
 */
public record Topology(List<String> nodes, List<Arc> arcs, List<Demand> demands) {
    /** What {@link Arc#bitsPerSecond} is if the file says nothing. */
    public static final long UNKNOWN = 0;

    public Topology {
        nodes = List.copyOf(nodes);
        arcs = List.copyOf(arcs);
        demands = List.copyOf(demands);
    }

    /**
     * One direction of a link between two nodes.
     *
     * @param bitsPerSecond capacity, or {@link #UNKNOWN}
     * @param delayUs propagation delay in microseconds, 0 or more
     * @param weight cost to a routing protocol, 1 to {@link Link#MAX_WEIGHT}
     */
    public record Arc(int from, int to, long bitsPerSecond, long delayUs, long weight) {
        public Arc {
            if (from == to) {
                throw new IllegalArgumentException("a link from node " + from + " to itself");
            }
            if (bitsPerSecond < 0 || delayUs < 0 || weight < 1 || weight > Link.MAX_WEIGHT) {
                throw new IllegalArgumentException("a link of " + bitsPerSecond + " bit/s, " + delayUs
                    + " us and weight " + weight);
            }
        }
    }

    /**
     * An entry of the traffic matrix.
     *
     * @param volume in the file's unit; only ratios are used
     */
    public record Demand(int from, int to, double volume) { }
}

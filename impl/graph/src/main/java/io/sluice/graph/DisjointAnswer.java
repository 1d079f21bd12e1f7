// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.List;

/** Answer of {@link DisjointPaths}. */
public sealed interface DisjointAnswer {
    /**
     * There are paths.
     *
     * @param disjoint as many paths as can share nothing, at most k, of least total cost; cheapest first
     * @param leastShared k paths with the fewest shared uses, of least total cost among those; cheapest first. What n
     *     paths share counts n - 1 shared uses. The same path may stand in the list more than once. The list equals
     *     {@code disjoint} if that has k paths
     * @param shared what the paths of {@code leastShared} share, in order of kind and id
     * @param proven true if both lists are known to be best; false if they come from a heuristic, so that there may be
     *     more disjoint paths, less to share or a lower cost
     */
    record Found(List<ArcPath> disjoint, List<ArcPath> leastShared, List<Shared> shared, boolean proven)
            implements DisjointAnswer {
        public Found {
            disjoint = List.copyOf(disjoint);
            leastShared = List.copyOf(leastShared);
            shared = List.copyOf(shared);
        }
    }

    /** No path leads from the source to the target. */
    record Unreachable(int source, int target) implements DisjointAnswer { }

    /**
     * A thing that several paths use.
     *
     * @param id a link's name as {@link Multigraph#link} gives it, a vertex, or a group's position in
     *     {@link Disjointness.ByGroup}
     * @param paths number of paths that use it, 2 or more
     */
    record Shared(Kind kind, int id, int paths) { }

    enum Kind { LINK, VERTEX, GROUP }
}

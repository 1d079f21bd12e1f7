// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.List;
import java.util.Set;

/** What paths should not share. */
public sealed interface Disjointness {
    /** Links, in the sense of {@link Multigraph}: both directions of a cable are one link. */
    record ByLink() implements Disjointness { }

    /** Vertices other than source and target; a link straight from source to target counts like a vertex. */
    record ByNode() implements Disjointness { }

    /**
     * Shared-risk groups, sets of links that may fail together (RFC 4202, section 2.3). A link in no group is a group
     * of its own; a link may be in several. A path counts once for a group, however many of its links are in it.
     *
     * @param groups the arcs of group 0, 1 ...; an arc stands for its link
     */
    record ByGroup(List<Set<Integer>> groups) implements Disjointness {
        public ByGroup {
            groups = groups.stream().map(Set::copyOf).toList();
        }
    }
}

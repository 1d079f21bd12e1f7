// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.List;

/** Paths with their shared uses and total cost; the better set has fewer shared uses, then less cost. */
record PathSet(List<ArcPath> paths, long sharedUses, long cost) {
    /** Takes any order of {@code paths}; keeps the cheapest first. */
    static PathSet of(final Risks risks, final List<ArcPath> paths) {
        final long uses = SharedUses.shared(paths, risks::things).stream().mapToLong(shared -> shared.paths() - 1L)
            .sum();
        return new PathSet(paths.stream().sorted().toList(), uses, paths.stream().mapToLong(ArcPath::cost).sum());
    }

    boolean isBetterThan(final PathSet other) {
        return sharedUses != other.sharedUses ? sharedUses < other.sharedUses : cost < other.cost;
    }
}

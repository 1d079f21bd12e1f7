// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.Arrays;
import java.util.Comparator;

/** A path without repeated vertices, as arc ids from source to target. Cheaper paths come first. */
public final class ArcPath implements Comparable<ArcPath> {
    private static final Comparator<ArcPath> ORDER =
        Comparator.<ArcPath>comparingLong(path -> path.cost).thenComparing(path -> path.arcs, Arrays::compare);

    private final int[] arcs;
    private final long cost;

    private ArcPath(final int[] arcs, final long cost) {
        this.arcs = arcs;
        this.cost = cost;
    }

    /** The path over {@code arcs}, each of which starts where the one before it ends. */
    public static ArcPath of(final Multigraph graph, final int... arcs) {
        long cost = 0;
        for (int i = 0; i < arcs.length; i++) {
            if (i > 0 && graph.head(arcs[i - 1]) != graph.tail(arcs[i])) {
                throw new IllegalArgumentException("arc " + arcs[i] + " does not start where arc " + arcs[i - 1]
                    + " ends");
            }
            cost += graph.cost(arcs[i]);
        }
        return new ArcPath(arcs.clone(), cost);
    }

    public int[] arcs() {
        return arcs.clone();
    }

    /** Number of arcs. */
    public int length() {
        return arcs.length;
    }

    /** Arc at {@code index}, 0 for the one that leaves the source. */
    public int arc(final int index) {
        return arcs[index];
    }

    /** Sum of the costs of the arcs. */
    public long cost() {
        return cost;
    }

    @Override
    public int compareTo(final ArcPath other) {
        return ORDER.compare(this, other);
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof ArcPath path && cost == path.cost && Arrays.equals(arcs, path.arcs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(arcs);
    }

    @Override
    public String toString() {
        return Arrays.toString(arcs) + " cost " + cost;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Local search for paths that share few risks: each path in turn is taken out and laid anew by the way that meets the
 * fewest risks of the others, until no path improves. It starts from the paths that share the fewest links, and once
 * more from none. A way that meets a risk twice counts it twice while it is sought, so a better one may be missed.
 */
final class RiskDescent {
    private static final int MAX_ROUNDS = 32;

    private final Multigraph graph;
    private final Risks risks;
    private final FlowPaths links;
    private final int source;
    private final int target;

    RiskDescent(final Multigraph graph, final Risks risks, final FlowPaths links, final int source,
            final int target) {
        this.graph = graph;
        this.risks = risks;
        this.links = links;
        this.source = source;
        this.target = target;
    }

    /** The best {@code count} paths that were met; {@code source} reaches {@code target}. */
    PathSet leastShared(final int count) {
        final var byLinks = descend(links.find(source, target, count).orElseThrow().leastShared());
        final var paths = new ArrayList<ArcPath>();
        while (paths.size() < count) {
            paths.add(wayAround(paths));
        }
        final var oneByOne = descend(paths);
        return oneByOne.isBetterThan(byLinks) ? oneByOne : byLinks;
    }

    /** Paths that share nothing: what can be left of {@code shared}, or more, up to {@code most}, if they are found. */
    PathSet disjoint(final PathSet shared, final int most) {
        var best = shared;
        while (best.sharedUses() > 0) {
            best = withoutOne(best);
        }
        best = descend(best.paths());
        while (best.paths().size() < most) {
            final var more = leastShared(best.paths().size() + 1);
            if (more.sharedUses() > 0) {
                break;
            }
            best = more;
        }
        return best;
    }

    private PathSet withoutOne(final PathSet set) {
        PathSet best = null;
        for (int i = 0; i < set.paths().size(); i++) {
            final var rest = new ArrayList<>(set.paths());
            rest.remove(i);
            final var candidate = PathSet.of(risks, rest);
            best = best == null || candidate.isBetterThan(best) ? candidate : best;
        }
        return best;
    }

    private PathSet descend(final List<ArcPath> start) {
        var best = PathSet.of(risks, start);
        for (int round = 0; round < MAX_ROUNDS; round++) {
            final var before = best;
            for (int i = 0; i < start.size(); i++) {
                final var paths = new ArrayList<>(best.paths());
                paths.remove(i);
                paths.add(wayAround(paths));
                final var candidate = PathSet.of(risks, paths);
                best = candidate.isBetterThan(best) ? candidate : best;
            }
            if (best == before) {
                break;
            }
        }
        return best;
    }

    /** The path that uses the fewest risks of {@code others}, then the cheapest. */
    private ArcPath wayAround(final List<ArcPath> others) {
        final var taken = new BitSet();
        others.forEach(path -> taken.or(risks.of(path)));
        final long penalty = graph.vertexCount() * graph.maxCost() + 1;
        final var costs = new long[graph.arcCount()];
        Arrays.setAll(costs, arc -> graph.cost(arc) + penalty * risks.count(arc, taken));
        final var arcs = ShortestPathDag.towards(graph.withCosts(costs), target).path(source).orElseThrow().arcs();
        return ArcPath.of(graph, arcs);
    }
}

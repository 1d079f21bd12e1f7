// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import io.sluice.graph.DisjointAnswer.Found;
import io.sluice.graph.DisjointAnswer.Unreachable;
import io.sluice.graph.FlowPaths.Flow;
import java.util.List;

/**
 * Paths that share few risks. In this order:
 * <ol>
 * <li>Paths that share no risk share no link. So the k link-disjoint paths of least cost are best if they happen to
 * share no risk: proven, at any size.
 * <li>{@link RiskSearch} tries all sets of paths, within its limits: proven.
 * <li>{@link RiskDescent} improves what link-disjoint paths give: not proven.
 * </ol>
 */
final class RiskPaths {
    private final Multigraph graph;
    private final Risks risks;
    private final FlowPaths links;

    RiskPaths(final Multigraph graph, final Risks risks, final FlowPaths links) {
        this.graph = graph;
        this.risks = risks;
        this.links = links;
    }

    DisjointAnswer find(final int source, final int target, final int k) {
        return links.find(source, target, k).<DisjointAnswer>map(flow -> improve(flow, source, target, k))
            .orElseGet(() -> new Unreachable(source, target));
    }

    private Found improve(final Flow flow, final int source, final int target, final int k) {
        final var byLink = PathSet.of(risks, flow.leastShared());
        if (byLink.sharedUses() == 0) {
            return found(byLink.paths(), byLink.paths(), true);
        }
        final int most = flow.disjoint().size();
        return RiskSearch.solve(graph, risks, source, target, most, k)
            .map(best -> found(best.disjoint(), best.leastShared(), true))
            .orElseGet(() -> descend(source, target, most, k));
    }

    private Found descend(final int source, final int target, final int most, final int k) {
        final var descent = new RiskDescent(graph, risks, links, source, target);
        final var leastShared = descent.leastShared(k);
        return found(descent.disjoint(leastShared, most).paths(), leastShared.paths(), false);
    }

    private Found found(final List<ArcPath> disjoint, final List<ArcPath> leastShared, final boolean proven) {
        return new Found(disjoint, leastShared, SharedUses.shared(leastShared, risks::things), proven);
    }
}

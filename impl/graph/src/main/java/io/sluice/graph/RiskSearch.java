// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Branch and bound over all sets of paths. A path whose risks are no fewer than those of a cheaper one is left out: it
 * can be replaced by that one in any set, perhaps a second time, and the set gets no worse.
 *
 * <p>Limits: {@link #MAX_PATHS} paths between the ends, found in {@link #MAX_WALK_STEPS} arcs, and
 * {@link #MAX_SEARCH_STEPS} paths tried.
 */
final class RiskSearch {
    static final int MAX_PATHS = 1024;
    static final int MAX_WALK_STEPS = 1 << 18;
    static final int MAX_SEARCH_STEPS = 1 << 21;

    private final int words;
    /** Cheapest first. */
    private final List<Candidate> candidates = new ArrayList<>();
    private final List<ArcPath> chosen = new ArrayList<>();
    private int stepsLeft = MAX_SEARCH_STEPS;
    /** Best set so far and what is to be beaten; the set is null while the bound is only wished for. */
    private List<ArcPath> best;
    private long bestUses;
    private long bestCost;

    /** A path with its risks, one bit each. */
    private record Candidate(ArcPath path, long[] risks) {
        boolean makesNeedless(final Candidate dearer) {
            for (int word = 0; word < risks.length; word++) {
                if ((risks[word] & ~dearer.risks[word]) != 0) {
                    return false;
                }
            }
            return true;
        }

        int shares(final long[] used) {
            int count = 0;
            for (int word = 0; word < risks.length; word++) {
                count += Long.bitCount(risks[word] & used[word]);
            }
            return count;
        }

        long[] addedTo(final long[] used) {
            final var sum = used.clone();
            for (int word = 0; word < risks.length; word++) {
                sum[word] |= risks[word];
            }
            return sum;
        }
    }

    /** The two lists of {@link DisjointAnswer.Found}. */
    record Best(List<ArcPath> disjoint, List<ArcPath> leastShared) { }

    private RiskSearch(final Risks risks, final List<ArcPath> paths) {
        words = (risks.count() + Long.SIZE - 1) / Long.SIZE;
        for (final var path : paths) {
            final var candidate = new Candidate(path, Arrays.copyOf(risks.of(path).toLongArray(), words));
            if (candidates.stream().noneMatch(cheaper -> cheaper.makesNeedless(candidate))) {
                candidates.add(candidate);
            }
        }
    }

    /**
     * Returns the best sets, or nothing if a limit is met.
     *
     * @param most upper bound of the number of paths that share nothing; there is one at least
     * @param k number of paths that shall share least
     */
    static Optional<Best> solve(final Multigraph graph, final Risks risks, final int source, final int target,
            final int most, final int k) {
        return SimplePaths.between(graph, source, target, MAX_PATHS, MAX_WALK_STEPS)
            .flatMap(paths -> new RiskSearch(risks, paths).solve(most, k));
    }

    private Optional<Best> solve(final int most, final int k) {
        List<ArcPath> disjoint = null;
        for (int count = most; disjoint == null; count--) {
            if (!search(count, 0)) {
                return Optional.empty();
            }
            disjoint = best;
        }
        if (disjoint.size() < k && !search(k, Long.MAX_VALUE)) {
            return Optional.empty();
        }
        return Optional.of(new Best(disjoint, best));
    }

    /** Leaves the best {@code count} paths of at most {@code maxUses} shared uses; returns false on the limit. */
    private boolean search(final int count, final long maxUses) {
        best = null;
        bestUses = maxUses;
        bestCost = Long.MAX_VALUE;
        chosen.clear();
        return choose(count, 0, new long[words], 0, 0);
    }

    /** Chooses {@code missing} more paths from {@code first} on, the same path again included. */
    private boolean choose(final int missing, final int first, final long[] used, final long uses, final long cost) {
        if (missing == 0) {
            best = List.copyOf(chosen);
            bestUses = uses;
            bestCost = cost;
            return true;
        }
        final var shares = new int[candidates.size()];
        int fewest = Integer.MAX_VALUE;
        for (int i = first; i < shares.length; i++) {
            shares[i] = candidates.get(i).shares(used);
            fewest = Math.min(fewest, shares[i]);
        }
        stepsLeft -= shares.length - first;
        for (int i = first; i < shares.length && stepsLeft >= 0; i++) {
            final var candidate = candidates.get(i);
            final long usesAtLeast = uses + shares[i] + (missing - 1L) * fewest;
            if (isBetter(usesAtLeast, cost + missing * candidate.path.cost())) {
                chosen.add(candidate.path);
                choose(missing - 1, i, candidate.addedTo(used), uses + shares[i], cost + candidate.path.cost());
                chosen.removeLast();
            }
        }
        return stepsLeft >= 0;
    }

    private boolean isBetter(final long uses, final long cost) {
        return uses != bestUses ? uses < bestUses : cost < bestCost;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Slow and obvious answers for small graphs: every path, every set of k paths. */
final class BruteForce {
    private final Multigraph graph;
    private final Disjointness disjointness;
    private final List<Long> costs = new ArrayList<>();
    /** What each path uses, by name. */
    private final List<Set<String>> uses = new ArrayList<>();
    private final int k;
    private final long[] fewestUses;
    private final long[] leastCost;

    /** For sets of 1 to {@code k} paths. */
    BruteForce(final Multigraph graph, final Disjointness disjointness, final int source, final int target,
            final int k) {
        this.graph = graph;
        this.disjointness = disjointness;
        for (final var path : paths(graph, source, target)) {
            costs.add(path.stream().mapToLong(graph::cost).sum());
            uses.add(uses(path));
        }
        this.k = k;
        fewestUses = new long[k + 1];
        leastCost = new long[k + 1];
        Arrays.fill(fewestUses, Long.MAX_VALUE);
        choose(0, 0, new ArrayList<>());
    }

    /** Every path without repeated vertices. */
    static List<List<Integer>> paths(final Multigraph graph, final int source, final int target) {
        final var paths = new ArrayList<List<Integer>>();
        extend(graph, source, target, new ArrayList<>(), new HashSet<>(), paths);
        return paths;
    }

    boolean reaches() {
        return !costs.isEmpty();
    }

    /** Shared uses of the best set of {@code paths} paths. */
    long fewestUses(final int paths) {
        return fewestUses[paths];
    }

    /** Cost of the best set of {@code paths} paths. */
    long leastCost(final int paths) {
        return leastCost[paths];
    }

    /** Largest number of paths that share nothing. */
    int mostDisjoint() {
        int most = 0;
        for (int paths = 1; paths < fewestUses.length; paths++) {
            most = fewestUses[paths] == 0 ? paths : most;
        }
        return most;
    }

    private static void extend(final Multigraph graph, final int vertex, final int target, final List<Integer> path,
            final Set<Integer> seen, final List<List<Integer>> paths) {
        if (vertex == target) {
            paths.add(List.copyOf(path));
            return;
        }
        seen.add(vertex);
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            if (graph.tail(arc) == vertex && !seen.contains(graph.head(arc))) {
                path.add(arc);
                extend(graph, graph.head(arc), target, path, seen, paths);
                path.removeLast();
            }
        }
        seen.remove(vertex);
    }

    private Set<String> uses(final List<Integer> path) {
        final var names = new HashSet<String>();
        for (int i = 0; i < path.size(); i++) {
            final int arc = path.get(i);
            final var link = "link " + Math.min(arc, graph.twin(arc) < 0 ? arc : graph.twin(arc));
            switch (disjointness) {
                case Disjointness.ByLink byLink -> names.add(link);
                case Disjointness.ByNode byNode -> {
                    if (path.size() == 1) {
                        names.add(link);
                    } else if (i > 0) {
                        names.add("vertex " + graph.tail(arc));
                    }
                }
                case Disjointness.ByGroup byGroup -> names.addAll(groups(byGroup.groups(), arc, link));
            }
        }
        return names;
    }

    private Set<String> groups(final List<Set<Integer>> groups, final int arc, final String link) {
        final var names = new HashSet<String>();
        for (int group = 0; group < groups.size(); group++) {
            if (groups.get(group).contains(arc) || groups.get(group).contains(graph.twin(arc))) {
                names.add("group " + group);
            }
        }
        return names.isEmpty() ? Set.of(link) : names;
    }

    private void choose(final int first, final long cost, final List<Set<String>> chosen) {
        if (!chosen.isEmpty()) {
            note(cost, chosen);
        }
        if (chosen.size() < k) {
            for (int path = first; path < costs.size(); path++) {
                chosen.add(uses.get(path));
                choose(path, cost + costs.get(path), chosen);
                chosen.removeLast();
            }
        }
    }

    private void note(final long cost, final List<Set<String>> chosen) {
        final var together = new HashSet<String>();
        long all = 0;
        for (final var names : chosen) {
            together.addAll(names);
            all += names.size();
        }
        final int paths = chosen.size();
        final long shared = all - together.size();
        if (shared < fewestUses[paths] || shared == fewestUses[paths] && cost < leastCost[paths]) {
            fewestUses[paths] = shared;
            leastCost[paths] = cost;
        }
    }
}

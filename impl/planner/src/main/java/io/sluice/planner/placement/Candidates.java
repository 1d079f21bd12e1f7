// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.placement;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Prices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** The candidates of a task by numbers: VNF, site, deployment, and who may use them. */
final class Candidates {
    /** All candidates open. */
    final Instance instance;
    /** VNFs that have candidates and may have new sites. */
    final int[] vnfs;
    /** By VNF: the most new sites, how many old ones there are, the first candidate's deployment, candidates' sites. */
    final int[] most;
    final int[] old;
    final int[] first;
    final int[][] sites;
    /** By VNF: the chains and layers that use it. */
    final List<List<Use>> uses = new ArrayList<>();

    record Use(int chain, int layer) { }

    Candidates(final PlacementTask task, final Instance instance) {
        this.instance = instance;
        final var problem = task.problem();
        final int count = problem.vnfs().size();
        most = new int[count];
        old = new int[count];
        first = new int[count];
        sites = new int[count][];
        int deployment = 0;
        for (int vnf = 0; vnf < count; vnf++) {
            sites[vnf] = task.candidates(vnf).stream().mapToInt(Integer::intValue).toArray();
            most[vnf] = Math.min(task.newSites().getOrDefault(vnf, 0), sites[vnf].length);
            old[vnf] = problem.vnfs().get(vnf).deployments().size();
            first[vnf] = deployment + old[vnf];
            deployment = first[vnf] + sites[vnf].length;
            uses.add(new ArrayList<>());
        }
        vnfs = IntStream.range(0, count).filter(vnf -> most[vnf] > 0).toArray();
        for (int chain = 0; chain < problem.chains().size(); chain++) {
            final var path = problem.chains().get(chain).vnfs();
            for (int layer = 1; layer <= path.size(); layer++) {
                uses.get(path.get(layer - 1)).add(new Use(chain, layer));
            }
        }
    }

    /** Whether a VNF is at an open site already. */
    boolean isPresent(final int vnf) {
        return IntStream.range(first[vnf] - old[vnf], first[vnf]).anyMatch(deployment -> !instance.isShut(deployment));
    }

    /** Row of a candidate's deployment. */
    int row(final int vnf, final int candidate) {
        return instance.deploymentRow(first[vnf] + candidate);
    }

    /** Prices at which all candidates are open. */
    Prices prices(final double[] ofRow) {
        final var prices = new Prices(instance);
        prices.set(ofRow, 1);
        return prices;
    }

    /** New sites of each VNF, from what is open of its candidates. */
    Map<Integer, Set<Integer>> chosen(final boolean[][] isOpen) {
        final var chosen = new HashMap<Integer, Set<Integer>>();
        for (final int vnf : vnfs) {
            final var open = new HashSet<Integer>();
            for (int candidate = 0; candidate < sites[vnf].length; candidate++) {
                if (isOpen[vnf][candidate]) {
                    open.add(sites[vnf][candidate]);
                }
            }
            chosen.put(vnf, open);
        }
        return chosen;
    }

    /** Nothing open yet. */
    boolean[][] none() {
        return Arrays.stream(sites).map(list -> new boolean[list.length]).toArray(boolean[][]::new);
    }
}

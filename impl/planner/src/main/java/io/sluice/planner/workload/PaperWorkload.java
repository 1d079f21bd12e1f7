// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.workload;

import io.sluice.api.Bandwidth;
import io.sluice.planner.core.Underlay;
import io.sluice.planner.format.Topology;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The workload of section 7.3 of the paper. A chain has 3 to 5 VNFs in ascending order of their numbers, and random
 * ends; its traffic is proportional to what its ingress sends in the traffic matrix. Chains make four fifths of all
 * traffic, the matrix at one fifth is the background. Sites are equal; at a site capacity is divided equally among the
 * VNFs there. A VNF is at a share of all sites chosen at random, its coverage.
 *
 * <p>The paper leaves open, and here it is: reverse traffic is half of forward traffic; a site has capacity for
 * {@code computeHeadroomPercent} of its share of the load that all chains have at {@link #REFERENCE_CYCLES_PER_KB}.
 *
 * @param chains number of chains, 1 or more
 * @param vnfs number of VNFs, 5 or more
 * @param maxSites a site at each node, or at so many random nodes if there are more nodes; 1 or more
 * @param coveragePercent 1..100, of the sites; a VNF is at one site at least
 * @param cyclesPerKilobyte compute cost of each VNF, 0 or more
 * @param computeHeadroomPercent see above; 0 or more
 * @param seed of all random choices, those of the backbone included
 */
public record PaperWorkload(int chains, int vnfs, int maxSites, int coveragePercent, long cyclesPerKilobyte,
        int computeHeadroomPercent, long seed) {
    /** Ten cycles for each byte. */
    public static final long REFERENCE_CYCLES_PER_KB = 10_000;
    /** How many the paper has. */
    public static final int VNFS = 100;
    /** The most sites that there are unless somebody says otherwise. */
    public static final int MAX_SITES = 40;
    /** Three times the compute that is needed on average. */
    public static final int HEADROOM_PERCENT = 300;

    private static final int MIN_VNFS = 3;
    private static final int MAX_VNFS = 5;
    private static final double CHAIN_SHARE = 0.8;
    private static final double REVERSE_SHARE = 1.0 / 3;
    private static final double PERCENT = 100;
    private static final double BITS_PER_KB = 8_000;

    public PaperWorkload {
        check("chains", chains, 1, Integer.MAX_VALUE);
        check("VNFs", vnfs, MAX_VNFS, Integer.MAX_VALUE);
        check("sites", maxSites, 1, Integer.MAX_VALUE);
        check("percent of coverage", coveragePercent, 1, (int) PERCENT);
        check("cycles/kB", cyclesPerKilobyte, 0, Long.MAX_VALUE);
        check("percent of headroom", computeHeadroomPercent, 0, Integer.MAX_VALUE);
    }

    private static void check(final String what, final long number, final long least, final long most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(number + " " + what + ": not in " + least + ".." + most);
        }
    }

    /** The paper's sizes: {@link #VNFS}, {@link #MAX_SITES}, the reference cost and {@link #HEADROOM_PERCENT}. */
    public static PaperWorkload of(final int chains, final int coveragePercent, final long seed) {
        return new PaperWorkload(chains, VNFS, MAX_SITES, coveragePercent, REFERENCE_CYCLES_PER_KB, HEADROOM_PERCENT,
            seed);
    }

    /** The workload on a topology; the same for the same seed. */
    public Problem on(final Topology topology, final BackboneModel model) {
        final var random = new Random(seed);
        final var backbone = model.build(topology, random);
        final var nodes = topology.nodes().size();
        check("nodes", nodes, 2, Integer.MAX_VALUE);
        final var siteNodes = pick(random, nodes, Math.min(nodes, maxSites));
        final var sitesOfVnf = IntStream.range(0, vnfs).mapToObj(vnf -> pick(random, siteNodes.length,
            Math.max(1, (int) Math.round(siteNodes.length * coveragePercent / PERCENT)))).toList();
        final var chainList = chains(backbone, nodes, random);
        final long siteCapacity = siteCapacity(chainList, siteNodes.length);
        return new Problem(withBackground(backbone),
            Arrays.stream(siteNodes).mapToObj(node -> new Site(node, siteCapacity)).toList(),
            catalog(sitesOfVnf, siteCapacity, siteNodes.length), chainList);
    }

    private List<Vnf> catalog(final List<int[]> sitesOfVnf, final long siteCapacity, final int sites) {
        final var vnfsAt = new int[sites];
        sitesOfVnf.forEach(list -> Arrays.stream(list).forEach(site -> vnfsAt[site]++));
        return IntStream.range(0, vnfs).mapToObj(vnf -> new Vnf("vnf-" + vnf, cyclesPerKilobyte,
            Arrays.stream(sitesOfVnf.get(vnf)).mapToObj(site -> new Deployment(site, siteCapacity / vnfsAt[site]))
                .toList())).toList();
    }

    private List<Chain> chains(final Backbone backbone, final int nodes, final Random random) {
        final var ends = new int[chains][];
        double weight = 0;
        for (int chain = 0; chain < chains; chain++) {
            ends[chain] = pick(random, nodes, 2);
            if (random.nextBoolean()) {
                ends[chain] = new int[] {ends[chain][1], ends[chain][0]};
            }
            weight += backbone.sentBy(ends[chain][0]);
        }
        final double total = Arrays.stream(backbone.matrix()).sum() * CHAIN_SHARE;
        final var list = new ArrayList<Chain>();
        for (int chain = 0; chain < chains; chain++) {
            final double rate = total * backbone.sentBy(ends[chain][0]) / weight;
            final var stage = new Stage(new Bandwidth(Math.round(rate * (1 - REVERSE_SHARE))),
                new Bandwidth(Math.round(rate * REVERSE_SHARE)));
            final var path = pick(random, vnfs, random.nextInt(MIN_VNFS, MAX_VNFS + 1));
            list.add(new Chain("chain-" + chain, List.of(ends[chain][0]), List.of(ends[chain][1]),
                Arrays.stream(path).boxed().toList(), Collections.nCopies(path.length + 1, stage)));
        }
        return list;
    }

    private long siteCapacity(final List<Chain> list, final int sites) {
        double load = 0;
        for (final var chain : list) {
            load += 2.0 * chain.vnfs().size() * chain.stages().get(0).total().bitsPerSecond() / BITS_PER_KB
                * REFERENCE_CYCLES_PER_KB;
        }
        return Math.round(load * computeHeadroomPercent / PERCENT / sites);
    }

    private static Network withBackground(final Backbone backbone) {
        final var network = backbone.network();
        final var load = BackboneModel.load(network, Underlay.shortestPaths(network), backbone.matrix());
        return new Network(network.nodes(), IntStream.range(0, load.length).mapToObj(link ->
            network.links().get(link).withBackground(new Bandwidth(Math.round(load[link] * (1 - CHAIN_SHARE)))))
            .toList());
    }

    /** {@code count} different numbers below {@code bound}, ascending (a partial Fisher-Yates shuffle). */
    private static int[] pick(final Random random, final int bound, final int count) {
        final var numbers = IntStream.range(0, bound).toArray();
        for (int i = 0; i < count; i++) {
            final int other = random.nextInt(i, bound);
            final int swap = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = swap;
        }
        final var picked = Arrays.copyOf(numbers, count);
        Arrays.sort(picked);
        return picked;
    }
}

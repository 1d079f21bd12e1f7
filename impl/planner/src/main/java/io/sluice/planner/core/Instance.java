// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import io.sluice.planner.core.NamedRoute.Hop;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A {@link Problem} in primitive arrays, for the algorithms. All that can run short is a <em>row</em>: first the links
 * with constraint (6), then the sites with (4), then the deployments with the bound on a VNF at a site. What a route
 * takes of a row is measured as a share of the row's capacity. A closed row has no capacity and may not be used.
 */
public final class Instance {
    /** A row that is used so far has nothing left. */
    private static final double FULL = 1 - 1e-9;

    private final Problem problem;
    private final Underlay underlay;
    private final List<LayeredChain> chains;
    private final Layers layers;
    private final int[] vnfOfDeployment;
    private final int[] siteOfDeployment;
    private final double[] capacity;
    private final boolean[] closed;
    /** Deployments that have no capacity, or whose site has none: full ones are not among them. */
    private final boolean[] isShut;
    private final int[] usedPairs;
    private final int[][] users;

    private Instance(final Problem problem, final Underlay underlay, final boolean isOpen) {
        this.problem = problem;
        this.underlay = underlay;
        vnfOfDeployment = IntStream.range(0, problem.vnfs().size()).flatMap(vnf ->
            problem.vnfs().get(vnf).deployments().stream().mapToInt(deployment -> vnf)).toArray();
        siteOfDeployment = problem.vnfs().stream().flatMap(vnf -> vnf.deployments().stream())
            .mapToInt(deployment -> deployment.site()).toArray();
        capacity = capacities(problem);
        closed = new boolean[capacity.length];
        for (int row = 0; row < capacity.length; row++) {
            closed[row] = capacity[row] <= 0;
            capacity[row] = closed[row] ? 1 : capacity[row];
        }
        isShut = new boolean[siteOfDeployment.length];
        for (int deployment = 0; deployment < isShut.length; deployment++) {
            isShut[deployment] = closed[siteRow(deployment)] || closed[deploymentRow(deployment)];
        }
        layers = new Layers(problem);
        chains = problem.chains().stream().map(layers::of).toList();
        usedPairs = isOpen ? IntStream.range(0, underlay.nodes() * underlay.nodes()).toArray() : findUsedPairs();
        users = findUsers();
    }

    /** The problem on its network, see {@link Underlay#of}. */
    public static Instance of(final Problem problem) {
        return new Instance(problem, Underlay.of(problem.network()), false);
    }

    /** As {@link #of(Problem)}, for chains that come later too, see {@link #layered}: all pairs of nodes are priced. */
    public static Instance open(final Problem problem) {
        return new Instance(problem, Underlay.of(problem.network()), true);
    }

    /** The problem on a network that routes as {@code underlay} says. */
    public static Instance of(final Problem problem, final Underlay underlay) {
        if (underlay.nodes() != problem.network().nodes().size()) {
            throw new IllegalArgumentException("an underlay of " + underlay.nodes() + " nodes for "
                + problem.network().nodes().size());
        }
        return new Instance(problem, underlay, false);
    }

    private Instance(final Instance instance, final double factor) {
        problem = instance.problem;
        underlay = instance.underlay;
        layers = instance.layers;
        vnfOfDeployment = instance.vnfOfDeployment;
        siteOfDeployment = instance.siteOfDeployment;
        capacity = instance.capacity;
        closed = instance.closed;
        isShut = instance.isShut;
        usedPairs = instance.usedPairs;
        users = instance.users;
        chains = instance.chains.stream().map(chain -> chain.scaledBy(factor)).toList();
    }

    /** One chain on what {@code use}, a share of the capacity of each row, leaves. */
    private Instance(final Instance instance, final double[] use, final LayeredChain chain) {
        problem = instance.problem;
        underlay = instance.underlay;
        layers = instance.layers;
        vnfOfDeployment = instance.vnfOfDeployment;
        siteOfDeployment = instance.siteOfDeployment;
        isShut = instance.isShut;
        chains = List.of(chain);
        capacity = new double[use.length];
        closed = new boolean[use.length];
        for (int row = 0; row < use.length; row++) {
            closed[row] = instance.closed[row] || use[row] >= FULL;
            capacity[row] = closed[row] ? 1 : instance.capacity[row] * (1 - use[row]);
        }
        usedPairs = findUsedPairs();
        users = findUsers();
    }

    /** One chain alone, on what {@code use}, a share of the capacity of each row, leaves to it. */
    public Instance left(final double[] use, final LayeredChain chain) {
        return new Instance(this, use, chain);
    }

    /** A chain that is none of the problem's, but of its nodes and VNFs. */
    public LayeredChain layered(final Chain chain) {
        return layers.of(chain);
    }

    /** The same instance with {@code factor} times the traffic of all chains, on the same capacities. */
    public Instance scaledBy(final double factor) {
        return new Instance(this, factor);
    }

    public Problem problem() {
        return problem;
    }

    public Underlay underlay() {
        return underlay;
    }

    public int chainCount() {
        return chains.size();
    }

    public LayeredChain chain(final int chain) {
        return chains.get(chain);
    }

    public int rows() {
        return capacity.length;
    }

    public int links() {
        return problem.network().links().size();
    }

    public int deployments() {
        return siteOfDeployment.length;
    }

    /** Row of the site where a deployment is. */
    public int siteRow(final int deployment) {
        return links() + siteOfDeployment[deployment];
    }

    public int deploymentRow(final int deployment) {
        return links() + problem.sites().size() + deployment;
    }

    /** Bits or cycles per second; 1 in a closed row, so that it can be divided by. */
    public double capacity(final int row) {
        return capacity[row];
    }

    public boolean isClosed(final int row) {
        return closed[row];
    }

    /** Whether nothing may go through a deployment, not even what takes nothing of it: it or its site is closed. */
    public boolean isShut(final int deployment) {
        return isShut[deployment];
    }

    /** Whether traffic reaches one node from another without a closed link. */
    boolean isWay(final int from, final int to) {
        final int pair = from * underlay.nodes() + to;
        return underlay.reaches(from, to) && IntStream.range(underlay.start(pair), underlay.start(pair + 1))
            .noneMatch(entry -> closed[underlay.link(entry)]);
    }

    /** What an operator calls the row. */
    public String rowName(final int row) {
        if (row < links()) {
            return "link " + problem.network().linkName(row);
        }
        if (row < links() + problem.sites().size()) {
            return "site " + problem.siteName(row - links());
        }
        final var hop = hop(row - links() - problem.sites().size());
        return hop.vnf() + " at " + hop.site();
    }

    /** The names of a deployment. */
    Hop hop(final int deployment) {
        return new Hop(problem.vnfs().get(vnfOfDeployment[deployment]).name(),
            problem.siteName(siteOfDeployment[deployment]));
    }

    /** Pairs of nodes, from * nodes + to, between which a chain may send; each with its reverse. */
    int[] usedPairs() {
        return usedPairs;
    }

    /** What uses a row: used pairs for a link, deployments for a site or a deployment. */
    int[] users(final int row) {
        return users[row];
    }

    private int[][] findUsers() {
        final var builders = new IntStream.Builder[capacity.length];
        Arrays.setAll(builders, row -> IntStream.builder());
        for (final int pair : usedPairs) {
            for (int entry = underlay.start(pair); entry < underlay.start(pair + 1); entry++) {
                builders[underlay.link(entry)].add(pair);
            }
        }
        for (int deployment = 0; deployment < siteOfDeployment.length; deployment++) {
            builders[siteRow(deployment)].add(deployment);
            builders[deploymentRow(deployment)].add(deployment);
        }
        return Arrays.stream(builders).map(builder -> builder.build().toArray()).toArray(int[][]::new);
    }

    private int[] findUsedPairs() {
        final int nodes = underlay.nodes();
        final var used = new boolean[nodes * nodes];
        for (final var chain : chains) {
            for (int layer = 1; layer < chain.layers(); layer++) {
                for (final int from : chain.nodes[layer - 1]) {
                    for (final int to : chain.nodes[layer]) {
                        used[from * nodes + to] = true;
                        used[to * nodes + from] = true;
                    }
                }
            }
        }
        return IntStream.range(0, used.length).filter(pair -> used[pair]).toArray();
    }

    private static double[] capacities(final Problem problem) {
        final var links = problem.network().links().stream().mapToDouble(link -> link.room().bitsPerSecond());
        final var sites = problem.sites().stream().mapToDouble(Site::cyclesPerSecond);
        final var deployments = problem.vnfs().stream().flatMap(vnf -> vnf.deployments().stream())
            .mapToDouble(Deployment::cyclesPerSecond);
        return DoubleStream.concat(links, DoubleStream.concat(sites, deployments)).toArray();
    }

    /** Makes layered chains that share the arrays of their VNFs. */
    private static final class Layers {
        private final Problem problem;
        private final int[][] nodesOfVnf;
        private final int[] firstDeployment;

        Layers(final Problem problem) {
            this.problem = problem;
            nodesOfVnf = problem.vnfs().stream().map(vnf -> vnf.deployments().stream()
                .mapToInt(deployment -> problem.sites().get(deployment.site()).node()).toArray()).toArray(int[][]::new);
            firstDeployment = new int[nodesOfVnf.length];
            for (int vnf = 1; vnf < firstDeployment.length; vnf++) {
                firstDeployment[vnf] = firstDeployment[vnf - 1] + nodesOfVnf[vnf - 1].length;
            }
        }

        LayeredChain of(final Chain chain) {
            final int layers = chain.vnfs().size() + 2;
            final var nodes = new int[layers][];
            final var first = new int[layers];
            final var cyclesPerBit = new double[layers];
            nodes[0] = ints(chain.ingresses());
            for (int layer = 1; layer < layers - 1; layer++) {
                final int vnf = chain.vnfs().get(layer - 1);
                nodes[layer] = nodesOfVnf[vnf];
                first[layer] = firstDeployment[vnf];
                cyclesPerBit[layer] = problem.vnfs().get(vnf).cyclesPerBit();
            }
            nodes[layers - 1] = ints(chain.egresses());
            return new LayeredChain(nodes, first,
                chain.stages().stream().mapToDouble(stage -> stage.forward().bitsPerSecond()).toArray(),
                chain.stages().stream().mapToDouble(stage -> stage.reverse().bitsPerSecond()).toArray(), cyclesPerBit);
        }

        private static int[] ints(final List<Integer> numbers) {
            return numbers.stream().mapToInt(Integer::intValue).toArray();
        }
    }
}

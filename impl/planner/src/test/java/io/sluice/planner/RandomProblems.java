// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner;

import io.sluice.api.Bandwidth;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Routing;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;

/** Small random problems with everything that a model can have: sets of ends, rates that change, one-way links. */
public final class RandomProblems {
    private static final int SHARE = Integer.getInteger("sluice.one-problem-of", 1);

    private RandomProblems() {
        // makes, and has no instances
    }

    /**
     * How many problems a test tries that tries {@code all} if it runs once: with {@code -Dsluice.one-problem-of=5} a
     * fifth, for tests that run for each of many changed programs.
     */
    public static int number(final int all) {
        return all / SHARE;
    }

    public static Problem of(final long seed) {
        final var random = new Random(seed);
        final int nodes = random.nextInt(3, 8);
        final int sites = random.nextInt(2, nodes);
        final var vnfs = IntStream.range(0, random.nextInt(1, 5)).mapToObj(vnf -> vnf(random, vnf, sites)).toList();
        return new Problem(network(random, nodes),
            IntStream.range(0, sites).mapToObj(site -> new Site("site-" + site, site,
                random.nextLong(300_000, 900_000))).toList(),
            vnfs,
            IntStream.range(0, random.nextInt(1, 12)).mapToObj(chain -> chain(random, chain, nodes, vnfs.size()))
                .toList());
    }

    /** The problem with half of each link. */
    public static Problem halved(final Problem problem) {
        return new Problem(problem.network().withLinks(problem.network().links().stream().map(link ->
            new Link(link.name(), link.from(), link.to(), new Bandwidth(link.bandwidth().bitsPerSecond() / 2),
                link.background(), link.utilisationLimitPpm(), link.delayUs(), link.weight())).toList()),
            problem.sites(), problem.vnfs(), problem.chains());
    }

    /** The problem with a twentieth of the compute, so that nothing else is short. */
    public static Problem shortOfCompute(final Problem problem) {
        return new Problem(problem.network(), problem.sites().stream()
            .map(site -> site.withCapacity(site.cyclesPerSecond() / 20)).toList(), problem.vnfs(),
            problem.chains());
    }

    /**
     * The same with what is rare: its first link is down, there is a way that is given, with a delay, and a delay
     * alone, a closed site with all VNFs, closed deployments, and a VNF without load.
     */
    public static Problem odd(final long seed) {
        final var problem = of(seed);
        final var links = new ArrayList<>(problem.network().links());
        links.set(0, links.get(0).down());
        final int nodes = problem.network().nodes().size();
        final var way = new HashMap<Integer, Integer>();
        way.put(1, 600_000);
        for (int node = 1; node < nodes; node++) {
            way.put(2 * node, 400_000);
        }
        final var sites = new ArrayList<>(problem.sites());
        sites.add(new Site("closed", 0, 0));
        return new Problem(new Network(problem.network().nodes(), links, List.of(
            new Routing(1, 0, way, OptionalLong.of(77)), new Routing(1, 2, Map.of(), OptionalLong.of(55)))), sites,
            problem.vnfs().stream().map(vnf -> odd(vnf, problem.sites().size())).toList(), problem.chains());
    }

    /** The first has no load; who is at several sites is closed at one. */
    private static Vnf odd(final Vnf vnf, final int closedSite) {
        final var deployments = new ArrayList<>(vnf.deployments());
        if (deployments.size() > 1) {
            deployments.set(0, new Deployment(deployments.get(0).site(), 0));
        }
        deployments.add(new Deployment(closedSite, 400_000));
        return new Vnf(vnf.name(), "vnf-0".equals(vnf.name()) ? 0 : vnf.cyclesPerKilobyte(), deployments);
    }

    /** A ring, so that everything is reachable, and chords. */
    private static Network network(final Random random, final int nodes) {
        final var links = new ArrayList<Link>();
        for (int node = 0; node < nodes; node++) {
            links.add(link(random, links.size(), node, (node + 1) % nodes));
            links.add(link(random, links.size(), (node + 1) % nodes, node));
        }
        for (int chord = 0; chord < nodes; chord++) {
            final int from = random.nextInt(nodes);
            links.add(link(random, links.size(), from, (from + random.nextInt(1, nodes)) % nodes));
        }
        return new Network(IntStream.range(0, nodes).mapToObj(node -> "n" + node).toList(), links);
    }

    private static Link link(final Random random, final int number, final int from, final int to) {
        final long rate = random.nextLong(1_000_000, 4_000_000);
        return new Link("link-" + number, from, to, new Bandwidth(rate), new Bandwidth(random.nextLong(rate / 5)),
            900_000, random.nextLong(1, 100), random.nextLong(1, 4));
    }

    private static Vnf vnf(final Random random, final int number, final int sites) {
        final var deployments = IntStream.range(0, sites).filter(site -> site == number % sites || random.nextBoolean())
            .mapToObj(site -> new Deployment(site, random.nextLong(100_000, 500_000))).toList();
        return new Vnf("vnf-" + number, random.nextLong(100, 2_000), deployments);
    }

    private static Chain chain(final Random random, final int number, final int nodes, final int vnfs) {
        final var path = IntStream.range(0, vnfs).filter(vnf -> random.nextInt(3) > 0).boxed().toList();
        final var stages = IntStream.rangeClosed(0, path.size()).mapToObj(stage -> new Stage(
            new Bandwidth(random.nextLong(10_000, 300_000)), new Bandwidth(random.nextLong(0, 100_000)))).toList();
        return new Chain("chain-" + number, ends(random, nodes), ends(random, nodes), path, stages);
    }

    private static List<Integer> ends(final Random random, final int nodes) {
        return IntStream.range(0, random.nextInt(1, 3)).mapToObj(end -> random.nextInt(nodes)).distinct().toList();
    }
}

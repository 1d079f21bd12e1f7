// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.workload;

import io.sluice.api.Bandwidth;
import io.sluice.planner.core.Underlay;
import io.sluice.planner.format.Topology;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * What public topologies lack, made up in one documented way:
 * <ul>
 * <li>Traffic: the file's demands, else gravity: a pair's share is the product of the masses of its ends, and masses
 *     are log-normal (median 1, sigma 1). All is scaled to {@code totalBps}.
 * <li>Capacity, where the file has none: the least multiple of {@code moduleBps} with which the traffic, on shortest
 *     paths, fills no direction of the link beyond {@code fillPpm}.
 * </ul>
 *
 * @param totalBps sum of the traffic matrix in bit/s
 * @param moduleBps step of capacities in bit/s
 * @param fillPpm 1..1,000,000
 * @param utilisationLimitPpm the limit beta for all links
 */
public record BackboneModel(long totalBps, long moduleBps, int fillPpm, int utilisationLimitPpm) {
    private static final double MILLION = 1e6;

    /** A terabit of traffic; links of 10 Gbit/s modules, half full; all of a link may be used. */
    public static BackboneModel standard() {
        return new BackboneModel(1_000_000_000_000L, 10_000_000_000L, 500_000, 1_000_000);
    }

    Backbone build(final Topology topology, final Random random) {
        final var matrix = matrix(topology, random);
        final var bare = network(topology, arc -> moduleBps);
        final var load = load(bare, Underlay.shortestPaths(bare), matrix);
        final var arcs = topology.arcs();
        return new Backbone(network(topology, arc -> arc.bitsPerSecond() != Topology.UNKNOWN ? arc.bitsPerSecond()
            : modules(Math.max(load[arcs.indexOf(arc)], reverseLoad(arcs, arc, load)))), matrix);
    }

    /** What the traffic matrix puts on each link. */
    static double[] load(final Network network, final Underlay underlay, final double[] matrix) {
        final int nodes = network.nodes().size();
        final var load = new double[network.links().size()];
        for (int pair = 0; pair < matrix.length; pair++) {
            if (matrix[pair] > 0) {
                underlay.addTo(load, pair / nodes, pair % nodes, matrix[pair]);
            }
        }
        return load;
    }

    private static double reverseLoad(final List<Topology.Arc> arcs, final Topology.Arc arc, final double[] load) {
        return IntStream.range(0, load.length)
            .filter(other -> arcs.get(other).from() == arc.to() && arcs.get(other).to() == arc.from())
            .mapToDouble(other -> load[other]).max().orElse(0);
    }

    private long modules(final double load) {
        return Math.max(1, (long) Math.ceil(load / (moduleBps * (fillPpm / MILLION)))) * moduleBps;
    }

    private Network network(final Topology topology, final ToLongFunction<Topology.Arc> bitsPerSecond) {
        return new Network(topology.nodes(), topology.arcs().stream().map(arc -> new Link(arc.from(), arc.to(),
            new Bandwidth(bitsPerSecond.applyAsLong(arc)), Bandwidth.ZERO, utilisationLimitPpm, arc.delayUs(),
            arc.weight())).toList());
    }

    private double[] matrix(final Topology topology, final Random random) {
        final int nodes = topology.nodes().size();
        final var matrix = new double[nodes * nodes];
        final var mass = IntStream.range(0, nodes).mapToDouble(node -> Math.exp(random.nextGaussian())).toArray();
        if (topology.demands().isEmpty()) {
            for (int pair = 0; pair < matrix.length; pair++) {
                matrix[pair] = pair / nodes == pair % nodes ? 0 : mass[pair / nodes] * mass[pair % nodes];
            }
        }
        for (final var demand : topology.demands()) {
            matrix[demand.from() * nodes + demand.to()] += demand.volume();
        }
        final double sum = IntStream.range(0, matrix.length).mapToDouble(pair -> matrix[pair]).sum();
        if (sum == 0 && !topology.demands().isEmpty()) {
            throw new IllegalArgumentException("the topology's " + topology.demands().size()
                + " demands are all 0; without any there would be a gravity model");
        }
        for (int pair = 0; pair < matrix.length && sum > 0; pair++) {
            matrix[pair] *= totalBps / sum;
        }
        return matrix;
    }
}

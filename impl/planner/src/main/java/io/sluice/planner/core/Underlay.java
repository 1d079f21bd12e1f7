// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import io.sluice.graph.Multigraph;
import io.sluice.graph.ShortestPathDag;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Routing;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How the network itself routes: the fraction r of the traffic from one node to another that crosses each link (table
 * 1), and the mean delay on the way. Immutable; rows of all pairs lie one after the other in primitive arrays.
 */
public final class Underlay {
    private final int nodes;
    /** Entries of pair p are start[p]..start[p + 1]-1; a pair without a way has none and an infinite delay. */
    private final int[] start;
    private final int[] links;
    private final double[] fractions;
    private final double[] delaysUs;

    private Underlay(final int nodes, final Rows rows, final double[] delaysUs) {
        this.nodes = nodes;
        start = rows.start;
        links = Arrays.copyOf(rows.links, rows.size);
        fractions = Arrays.copyOf(rows.fractions, rows.size);
        this.delaysUs = delaysUs;
    }

    /** The fraction of the traffic from {@code from} to {@code to} that crosses each link. */
    @FunctionalInterface
    public interface Fractions {
        /** One fraction of 0..1 for each link; empty if there is no way. */
        Optional<double[]> of(int from, int to);
    }

    /** Fractions that somebody measured or computed elsewhere; asked once for each pair of different nodes. */
    public static Underlay given(final Network network, final Fractions fractions) {
        final int nodes = network.nodes().size();
        final var rows = new Rows(nodes * nodes);
        final var delaysUs = new double[nodes * nodes];
        for (int pair = 0; pair < nodes * nodes; pair++) {
            final int from = pair / nodes;
            final int to = pair % nodes;
            if (from != to) {
                delaysUs[pair] = fractions.of(from, to).map(row -> rows.add(network, row))
                    .orElse(Double.POSITIVE_INFINITY);
            }
            rows.end(pair);
        }
        return new Underlay(nodes, rows, delaysUs);
    }

    /**
     * As the network's routings say, unless a link on the way is down; elsewhere as {@link #shortestPaths}. Measured
     * delays stand in for those of links, where there is a way and it is the one that was measured.
     */
    public static Underlay of(final Network network) {
        final int nodes = network.nodes().size();
        final int links = network.links().size();
        final Map<Integer, Routing> ways = network.routings().stream().filter(lasting(network))
            .collect(Collectors.toMap(routing -> routing.from() * nodes + routing.to(), routing -> routing));
        final var shortest = evenSplits(network.graph());
        final var underlay = given(network, (from, to) -> Optional.ofNullable(ways.get(from * nodes + to))
            .filter(Routing::isWay).map(routing -> routing.fractions(links)).or(() -> shortest.of(from, to)));
        ways.forEach((pair, routing) -> routing.delayUs().ifPresent(delayUs -> {
            if (underlay.delaysUs[pair] < Double.POSITIVE_INFINITY) {
                underlay.delaysUs[pair] = delayUs;
            }
        }));
        return underlay;
    }

    /** Shortest paths by link weight, each node splitting evenly over the links that lie on one (ECMP). */
    public static Underlay shortestPaths(final Network network) {
        return given(network, evenSplits(network.graph()));
    }

    /** Whether all links are up that a routing goes over: where it is a delay alone, those of the shortest paths. */
    private static Predicate<Routing> lasting(final Network network) {
        final var links = network.links();
        final int[] down = IntStream.range(0, links.size()).filter(link -> links.get(link).isDown()).toArray();
        final var measured = evenSplits(network.graphOfAll());
        return routing -> down.length == 0 || (routing.isWay() ? Optional.of(routing.fractions(links.size()))
            : measured.of(routing.from(), routing.to()))
            .filter(way -> Arrays.stream(down).anyMatch(link -> way[link] > 0)).isEmpty();
    }

    /** Ways to a target are found when they are asked for. */
    private static Fractions evenSplits(final Multigraph graph) {
        final var ways = new HashMap<Integer, EvenSplit>();
        return (from, to) -> ways.computeIfAbsent(to, target -> new EvenSplit(graph, target)).from(from);
    }

    public int nodes() {
        return nodes;
    }

    /** Whether traffic from {@code from} reaches {@code to}. */
    public boolean reaches(final int from, final int to) {
        return delaysUs[from * nodes + to] < Double.POSITIVE_INFINITY;
    }

    /** Mean delay in microseconds, d of table 1; infinite if there is no way. */
    public double delayUs(final int from, final int to) {
        return delaysUs[from * nodes + to];
    }

    /** Adds what {@code traffic} from one node to another puts on each link; nothing if there is no way. */
    public void addTo(final double[] loadOfLink, final int from, final int to, final double traffic) {
        final int pair = from * nodes + to;
        for (int entry = start[pair]; entry < start[pair + 1]; entry++) {
            loadOfLink[links[entry]] += fractions[entry] * traffic;
        }
    }

    /** First entry of a pair; its entries end where those of the next pair begin. */
    int start(final int pair) {
        return start[pair];
    }

    int link(final int entry) {
        return links[entry];
    }

    double fraction(final int entry) {
        return fractions[entry];
    }

    /** Sum of fraction times value over the links of a pair. */
    double weigh(final int pair, final double[] valueOfLink) {
        double sum = 0;
        for (int entry = start[pair]; entry < start[pair + 1]; entry++) {
            sum += fractions[entry] * valueOfLink[links[entry]];
        }
        return sum;
    }

    /** Rows under construction. */
    private static final class Rows {
        private final int[] start;
        private int[] links = new int[1024];
        private double[] fractions = new double[1024];
        private int size;

        Rows(final int pairs) {
            start = new int[pairs + 1];
        }

        /** Adds what is positive; returns the mean delay. */
        double add(final Network network, final double[] row) {
            double delayUs = 0;
            for (int link = 0; link < row.length; link++) {
                if (row[link] > 0) {
                    append(link, row[link]);
                    delayUs += row[link] * network.links().get(link).delayUs();
                }
            }
            return delayUs;
        }

        void end(final int pair) {
            start[pair + 1] = size;
        }

        private void append(final int link, final double fraction) {
            if (size == links.length) {
                links = Arrays.copyOf(links, size * 2);
                fractions = Arrays.copyOf(fractions, size * 2);
            }
            links[size] = link;
            fractions[size++] = fraction;
        }
    }

    /** Splits traffic to one target; weights are positive, so nodes farther away come first in a topological order. */
    private static final class EvenSplit {
        private final Multigraph graph;
        private final ShortestPathDag dag;
        private final int[] farthestFirst;
        private final int[][] next;

        EvenSplit(final Multigraph graph, final int target) {
            this.graph = graph;
            dag = ShortestPathDag.towards(graph, target);
            farthestFirst = IntStream.range(0, graph.vertexCount()).filter(node -> dag.distance(node).isPresent())
                .boxed().sorted(Comparator.comparingLong((Integer node) -> -dag.distance(node).getAsLong()))
                .mapToInt(Integer::intValue).toArray();
            next = IntStream.range(0, graph.vertexCount()).mapToObj(dag::nextArcs).toArray(int[][]::new);
        }

        Optional<double[]> from(final int source) {
            if (dag.distance(source).isEmpty()) {
                return Optional.empty();
            }
            final var at = new double[graph.vertexCount()];
            final var over = new double[graph.arcCount()];
            at[source] = 1;
            for (final int node : farthestFirst) {
                for (final int arc : next[node]) {
                    over[arc] = at[node] / next[node].length;
                    at[graph.head(arc)] += over[arc];
                }
            }
            return Optional.of(over);
        }
    }
}

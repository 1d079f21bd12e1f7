// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.multipath;

import io.sluice.graph.ArcPath;
import io.sluice.graph.DisjointAnswer;
import io.sluice.graph.DisjointAnswer.Found;
import io.sluice.graph.DisjointPaths;
import io.sluice.graph.Disjointness.ByLink;
import io.sluice.graph.Multigraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * K48: time to find 24 link-disjoint paths of least total cost between random edge switches of a k=48 fat-tree. Prints
 * one JSON object with the time of each pair in milliseconds, and the median of {@link FullDijkstraFlow} on some of the
 * same pairs. Every answer is checked, outside the timing: the paths are disjoint and as cheap as the peer's.
 *
 * <p>Run: {@code java -cp bench/java/target/classes:impl/graph/target/classes
 * io.sluice.bench.multipath.DisjointPathsBenchmark [pairs] [seed]}
 */
public final class DisjointPathsBenchmark {
    private static final int PORTS = 48;
    private static final int PATHS = 24;
    private static final int MAX_COST = 1000;
    private static final int WARM_UP_PAIRS = 400;
    private static final int PEER_PAIRS = 40;

    private final Multigraph graph;
    private final DisjointPaths finder;
    private final FullDijkstraFlow peer;

    private record Pair(int source, int target) { }

    private DisjointPathsBenchmark(final Multigraph graph) {
        this.graph = graph;
        finder = new DisjointPaths(graph);
        peer = new FullDijkstraFlow(graph);
    }

    /** Measures {@code args[0]} pairs (default 300) with the seed {@code args[1]} (default 48). */
    public static void main(final String[] args) {
        final int pairs = args.length > 0 ? Integer.parseInt(args[0]) : 300;
        final long seed = args.length > 1 ? Long.parseLong(args[1]) : 48;
        final var random = new Random(seed);
        final var fatTree = new FatTree(PORTS);
        final var benchmark = new DisjointPathsBenchmark(fatTree.graph(random, MAX_COST));
        benchmark.samples(pairs(random, fatTree, WARM_UP_PAIRS));
        final var measured = pairs(random, fatTree, pairs);
        final var samples = benchmark.samples(measured);
        final double peerMs = median(benchmark.peerSamples(measured));
        System.out.println(String.format(Locale.ROOT, """
            {"id": "K48", "samples": %s, "parameters": {"ports": %d, "switches": %d, "cables": %d, "paths": %d, \
            "costs": "1..%d", "pairs": %d, "warm-up-pairs": %d, "seed": %d}, \
            "peers": {"full-dijkstra-ssp-ms": %.3f}}""", json(samples), PORTS, fatTree.switches(),
            benchmark.graph.arcCount() / 2, PATHS, MAX_COST, pairs, WARM_UP_PAIRS, seed, peerMs));
    }

    private static List<Pair> pairs(final Random random, final FatTree fatTree, final int count) {
        final var pairs = new ArrayList<Pair>();
        while (pairs.size() < count) {
            final var pair = new Pair(random.nextInt(fatTree.edgeSwitches()), random.nextInt(fatTree.edgeSwitches()));
            if (pair.source != pair.target) {
                pairs.add(pair);
            }
        }
        return pairs;
    }

    private double[] samples(final List<Pair> pairs) {
        final var samples = new double[pairs.size()];
        final var answers = new ArrayList<DisjointAnswer>();
        for (int i = 0; i < samples.length; i++) {
            final var pair = pairs.get(i);
            final long startNs = System.nanoTime();
            answers.add(finder.find(new ByLink(), pair.source, pair.target, PATHS));
            samples[i] = (System.nanoTime() - startNs) / 1e6;
        }
        for (int i = 0; i < samples.length; i++) {
            check(pairs.get(i), answers.get(i));
        }
        return samples;
    }

    private double[] peerSamples(final List<Pair> pairs) {
        return pairs.stream().limit(PEER_PAIRS).mapToDouble(pair -> {
            final long startNs = System.nanoTime();
            peer.cost(pair.source, pair.target, PATHS);
            return (System.nanoTime() - startNs) / 1e6;
        }).toArray();
    }

    private void check(final Pair pair, final DisjointAnswer answer) {
        if (!(answer instanceof Found found) || found.disjoint().size() != PATHS) {
            throw new IllegalStateException(pair + " has not " + PATHS + " paths: " + answer);
        }
        final var links = new HashSet<Integer>();
        for (final var path : found.disjoint()) {
            final boolean joins = graph.tail(path.arc(0)) == pair.source
                && graph.head(path.arc(path.length() - 1)) == pair.target;
            if (!joins || !Arrays.stream(path.arcs()).map(graph::link).allMatch(links::add)) {
                throw new IllegalStateException(pair + " has a path that shares a link or misses an end: " + path);
            }
        }
        final long cost = found.disjoint().stream().mapToLong(ArcPath::cost).sum();
        final long optimum = peer.cost(pair.source, pair.target, PATHS);
        if (cost != optimum) {
            throw new IllegalStateException(pair + " costs " + cost + ", optimum " + optimum);
        }
    }

    private static double median(final double[] samples) {
        final var sorted = Arrays.stream(samples).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static String json(final double[] samples) {
        return Arrays.stream(samples).mapToObj(sample -> String.format(Locale.ROOT, "%.3f", sample))
            .collect(Collectors.joining(", ", "[", "]"));
    }
}

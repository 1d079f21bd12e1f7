// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bandwidth;

import io.sluice.bandwidth.Allocation.Allocated;
import io.sluice.bandwidth.AppAware;
import io.sluice.bandwidth.AppMaxMin;
import io.sluice.bandwidth.MaxMinRates;
import io.sluice.bandwidth.Policy;
import io.sluice.bandwidth.Round;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows B3 and B5: time of a round, and application max-min against the paper's Algorithm 1. Prints one JSON object for
 * each row.
 *
 * <p>Run: {@code java -cp 'bench/java/target/classes:bench/java/target/lib/*'
 * io.sluice.bench.bandwidth.BandwidthBenchmark (progress|time) [seeds]}
 */
public final class BandwidthBenchmark {
    private static final int PORTS = 8;
    private static final int APPLICATIONS = 40;
    private static final int SIMULATED_ROUNDS = 40;
    /** Those of three hours: by then all is compiled. */
    private static final int WARM_UP_ROUNDS = 2000;
    /** Those of half an hour. */
    private static final int EARLY_ROUNDS = 400;
    private static final int TIMED_ROUNDS = 200;
    private static final int BAR_SIZE = 500;
    private static final int[] OTHER_SIZES = {10, 30, 100, 300, 1000, 3000, 10_000};

    private BandwidthBenchmark() {
        // one command
    }

    /** Measures {@code args[0]}, over {@code args[1]} seeds (default 50) if it is about progress. */
    public static void main(final String[] args) {
        if (args.length > 0 && args[0].equals("progress")) {
            measureProgress(args.length > 1 ? Integer.parseInt(args[1]) : 50);
        } else if (args.length > 0 && args[0].equals("time")) {
            measureTime();
        } else {
            throw new IllegalArgumentException("progress or time?");
        }
    }

    private static void measureProgress(final int seeds) {
        final double[] ratios = IntStream.range(0, seeds).mapToDouble(seed -> {
            final var round = StreamWorkload.round(PORTS, APPLICATIONS, seed);
            return meanRatio(progress(new AppMaxMin(), round), progress(new AppAware(), round));
        }).sorted().toArray();
        final var peers = new LinkedHashMap<String, List<Double>>();
        for (int seed = 0; seed < seeds; seed++) {
            peers(seed).forEach((peer, ratio) -> peers.computeIfAbsent(peer, added -> new ArrayList<>()).add(ratio));
        }
        final var means = peers.entrySet().stream().map(peer -> String.format(Locale.ROOT, "\"%s\": %.4f",
            peer.getKey(), geometricMean(peer.getValue().stream().mapToDouble(Double::doubleValue).toArray())))
            .collect(Collectors.joining(", ", "{", "}"));
        print("B5-geomean", geometricMean(ratios), ratios, means);
        print("B5-worst", ratios[0], ratios, means);
    }

    /** What else is compared over the same flows: with Algorithm 1, unless its name says else. */
    private static Map<String, Double> peers(final long seed) {
        final var round = StreamWorkload.round(PORTS, APPLICATIONS, seed);
        final var staged = StreamWorkload.staged(PORTS, APPLICATIONS, seed);
        final double[] ours = progress(new AppMaxMin(), round);
        final double[] ordered = progress(new AppMaxMin(), staged);
        final double[] paper = progress(new AppAware(), round);
        final double[] throughput = throughput(new AppMaxMin(), round);
        final double[] ofPaper = throughput(new AppAware(), round);
        final var peers = new LinkedHashMap<String, Double>();
        peers.put("over-max-min", meanRatio(ours, progress(new MaxMinRates(), round)));
        peers.put("least-progress", least(ours) / least(paper));
        peers.put("up-to-demand", meanRatio(upToDemand(ours), upToDemand(paper)));
        peers.put("up-to-demand-bound", ProgressBound.of(round) / geometricMean(upToDemand(paper)));
        peers.put("alone-to-optimum", aloneToOptimum(new AppMaxMin(), seed));
        peers.put("algorithm-1-alone-to-optimum", aloneToOptimum(new AppAware(), seed));
        peers.put("simulated-throughput", meanRatio(throughput, ofPaper));
        peers.put("simulated-throughput-over-max-min",
            meanRatio(throughput, throughput(new MaxMinRates(), round)));
        peers.put("staged", meanRatio(ordered, paper));
        peers.put("staged-up-to-demand", meanRatio(upToDemand(ordered), upToDemand(paper)));
        peers.put("staged-simulated-throughput", meanRatio(throughput(new AppMaxMin(), staged), ofPaper));
        return peers;
    }

    /**
     * Progress of an application that has the network to itself, as part of the most that any rates give it: all its
     * flows can have 1 / {@link StreamWorkload#OVERLOAD} of their demand and no more, for the most loaded link is
     * offered so many times its capacity.
     */
    static double aloneToOptimum(final Policy policy, final long seed) {
        return least(progress(policy, StreamWorkload.round(PORTS, 1, seed))) * StreamWorkload.OVERLOAD;
    }

    private static double[] throughput(final Policy policy, final Round round) {
        return new JoinSimulation(round, policy).run(SIMULATED_ROUNDS);
    }

    private static double least(final double[] progress) {
        return Arrays.stream(progress).min().orElseThrow();
    }

    /** Without head-room: what an application has beyond its demand is of no use before it grows. */
    private static double[] upToDemand(final double[] progress) {
        return Arrays.stream(progress).map(part -> Math.min(1, part)).toArray();
    }

    private static void print(final String id, final double value, final double[] sorted, final String peers) {
        System.out.println(String.format(Locale.ROOT, "{\"id\": \"%s\", \"value\": %.4f, \"spread\": {\"min\": %.4f, "
            + "\"median\": %.4f, \"max\": %.4f, \"runs\": %d}, \"parameters\": {\"ports\": %d, \"applications\": %d, "
            + "\"overload\": %.1f, \"seeds\": \"0..%d\", \"simulated-rounds\": %d}, \"peers\": %s}", id, value,
            sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1], sorted.length, PORTS, APPLICATIONS,
            StreamWorkload.OVERLOAD, sorted.length - 1, SIMULATED_ROUNDS, peers));
    }

    /** Of each application, the least of its flows' rates as part of the demand. */
    private static double[] progress(final Policy policy, final Round round) {
        final var rates = ((Allocated) policy.allocate(round)).flows().iterator();
        return round.tenants().getFirst().applications().stream()
            .mapToDouble(application -> application.flows().stream().mapToDouble(flow ->
                rates.next().rate().bitsPerSecond() * (round.intervalUs() / 8e6)
                    / flow.report().orElseThrow().toSend()).min().orElseThrow()).toArray();
    }

    private static double meanRatio(final double[] ours, final double[] theirs) {
        return geometricMean(IntStream.range(0, ours.length).mapToDouble(i -> ours[i] / theirs[i]).toArray());
    }

    private static double geometricMean(final double[] values) {
        return Math.exp(Arrays.stream(values).map(Math::log).average().orElseThrow());
    }

    /** The size of the bar comes first: what is compiled for rounds of other sizes is slower for it. */
    private static void measureTime() {
        final int applications = applicationsFor(BAR_SIZE);
        final double early = median(timesMs(new AppMaxMin(),
            StreamWorkload.round(PORTS, applications, BAR_SIZE), EARLY_ROUNDS));
        final var atBar = Times.of(BAR_SIZE);
        final var all = Stream.concat(Stream.of(atBar), Arrays.stream(OTHER_SIZES).mapToObj(Times::of));
        System.out.println(String.format(Locale.ROOT, "{\"id\": \"B3\", \"samples\": %s, \"parameters\": "
            + "{\"flows\": %d, \"warm-up-rounds\": %d, \"median-ms-by-flows\": {%s}}, \"peers\": "
            + "{\"after %d rounds\": %.4f, \"with stages\": %.4f, \"Algorithm 1\": %.4f}}",
            Arrays.stream(atBar.ours).mapToObj(sample -> String.format(Locale.ROOT, "%.4f", sample))
                .collect(Collectors.joining(", ", "[", "]")), atBar.flows, WARM_UP_ROUNDS,
            all.sorted(Comparator.comparingInt(Times::flows)).map(Times::medians).collect(Collectors.joining(", ")),
            EARLY_ROUNDS, early, median(atBar.staged), median(atBar.paper)));
    }

    /** Milliseconds of a round by each policy, sorted. */
    private record Times(int flows, double[] ours, double[] staged, double[] paper) {
        static Times of(final int size) {
            final int applications = applicationsFor(size);
            final var round = StreamWorkload.round(PORTS, applications, size);
            return new Times(countFlows(round), timesMs(new AppMaxMin(), round, WARM_UP_ROUNDS),
                timesMs(new AppMaxMin(), StreamWorkload.staged(PORTS, applications, size), WARM_UP_ROUNDS),
                timesMs(new AppAware(), round, WARM_UP_ROUNDS));
        }

        String medians() {
            return String.format(Locale.ROOT, "\"%d\": {\"app-max-min\": %.4f, \"app-max-min-staged\": %.4f, "
                + "\"app-aware\": %.4f}", flows, median(ours), median(staged), median(paper));
        }
    }

    private static double median(final double[] sorted) {
        return sorted[sorted.length / 2];
    }

    /** How many make a round of at least {@code flows} flows, whose seed is their number too. */
    private static int applicationsFor(final int flows) {
        int applications = 1;
        while (countFlows(StreamWorkload.round(PORTS, applications, flows)) < flows) {
            applications += Math.max(1, applications / 50);
        }
        return applications;
    }

    private static int countFlows(final Round round) {
        return round.tenants().getFirst().applications().stream().map(application -> application.flows())
            .mapToInt(List::size).sum();
    }

    /** Rounds of more than a thousand flows are timed a tenth as often, after a tenth of the warm-up. */
    private static double[] timesMs(final Policy policy, final Round round, final int warmUpRounds) {
        final int rounds = countFlows(round) <= BAR_SIZE * 2 ? TIMED_ROUNDS : TIMED_ROUNDS / 10;
        for (int i = 0; i < rounds * (warmUpRounds / TIMED_ROUNDS); i++) {
            policy.allocate(round);
        }
        return IntStream.range(0, rounds).mapToDouble(i -> {
            final long startNs = System.nanoTime();
            policy.allocate(round);
            return (System.nanoTime() - startNs) / 1e6;
        }).sorted().toArray();
    }
}

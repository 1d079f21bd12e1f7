// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bandwidth;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.Application;
import io.sluice.bandwidth.Flow;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.PathShare;
import io.sluice.bandwidth.Round;
import io.sluice.bandwidth.Stage;
import io.sluice.bandwidth.Tenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * Stream applications placed at random in a fat-tree: a chain of 2 to 4 operators of 1 to 4 instances each, every
 * instance connected with every one of the next operator. Volumes are log-normal by application and operator, and
 * unevenly split over the flows, as keys are. All are scaled so that the most loaded link is offered {@code OVERLOAD}
 * times its capacity.
 */
final class StreamWorkload {
    static final double OVERLOAD = 4;
    static final long INTERVAL_US = 5_000_000;
    private static final Bandwidth CAPACITY = Bandwidth.ofMegabits(1000);
    private static final double SKEW = 0.5;

    private final Random random;
    private final HostFatTree tree;

    /** A flow before volumes are scaled. */
    private record Draft(List<String> links, Stage stage, double volume) { }

    private StreamWorkload(final int ports, final long seed) {
        random = new Random(seed);
        tree = new HostFatTree(ports, CAPACITY);
    }

    /**
     * One tenant's {@code applications}, each flow with the report that it has sent what it has to, without queues, and
     * all in one stage, so that applications are compared as wholes.
     */
    static Round round(final int ports, final int applications, final long seed) {
        return new StreamWorkload(ports, seed).round(applications, draft -> Stage.ONLY);
    }

    /** The same flows in stages, as Storm registers them: how many operators are before the one that takes it. */
    static Round staged(final int ports, final int applications, final long seed) {
        return new StreamWorkload(ports, seed).round(applications, Draft::stage);
    }

    private Round round(final int count, final Function<Draft, Stage> stages) {
        final var drafts = new ArrayList<List<Draft>>();
        while (drafts.size() < count) {
            final var draft = application();
            if (!draft.isEmpty()) {
                drafts.add(draft);
            }
        }
        final var loads = new HashMap<String, Double>();
        drafts.forEach(flows -> flows.forEach(flow ->
            flow.links.forEach(link -> loads.merge(link, flow.volume, Double::sum))));
        final double most = loads.values().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        final double bytes = OVERLOAD * CAPACITY.bitsPerSecond() / 8 * INTERVAL_US / 1e6 / most;
        final var applications = new ArrayList<Application>();
        for (final var flows : drafts) {
            final var scaled = new ArrayList<Flow>();
            for (final var flow : flows) {
                scaled.add(new Flow("f" + scaled.size(), List.of(new PathShare(flow.links, 1)),
                    stages.apply(flow), 1, Bandwidth.ZERO, Optional.empty(), Optional.of(new FlowReport(
                        Math.max(1, Math.round(flow.volume * bytes)), 0, 0, 0, 0))));
            }
            applications.add(new Application("a" + applications.size(), 1, scaled));
        }
        return new Round(tree.links(), List.of(new Tenant("t", 1, applications)), INTERVAL_US);
    }

    private List<Draft> application() {
        final var flows = new ArrayList<Draft>();
        final double base = Math.exp(random.nextGaussian());
        int[] from = machines();
        final int stages = random.nextInt(1, 4);
        for (int stage = 1; stage <= stages; stage++) {
            final int[] to = machines();
            final double volume = base * Math.exp(SKEW * random.nextGaussian());
            final double[] parts = DoubleStream.generate(() -> Math.exp(SKEW * random.nextGaussian()))
                .limit((long) from.length * to.length).toArray();
            final double whole = DoubleStream.of(parts).sum();
            for (int i = 0; i < parts.length; i++) {
                final int source = from[i / to.length];
                final int target = to[i % to.length];
                if (source != target) {
                    flows.add(new Draft(tree.route(source, target, random), new Stage(stage,
                        Integer.toString(source), Integer.toString(target)), volume * parts[i] / whole));
                }
            }
            from = to;
        }
        return flows;
    }

    private int[] machines() {
        return random.ints(0, tree.hosts()).distinct().limit(random.nextInt(1, 5)).toArray();
    }
}

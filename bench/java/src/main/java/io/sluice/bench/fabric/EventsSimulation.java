// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/**
 * Row EVENTS-SIM: random events in simulated time. Prints one JSON object, and progress on standard error. The first
 * failure ends the run, with exit status 1.
 *
 * <p>Run: {@code java -cp 'bench/java/target/classes:bench/java/target/lib/*'
 * io.sluice.bench.fabric.EventsSimulation EVENTS [SEED]}
 */
public final class EventsSimulation {
    /** Events of one simulation; then the next one starts with another seed and the other topology. */
    private static final int EVENTS_OF_RUN = 500;
    private static final List<Integer> HOSTS_OF_FAT_TREE = List.of(0, 1, 2, 4, 12, 13);
    private static final Rates RATES = Rates.equal(Bandwidth.ofMegabits(100));

    private EventsSimulation() {
        // one command
    }

    /** Lets {@code args[0]} events happen, from seed {@code args[1]} (default 1) on. */
    public static void main(final String[] args) {
        final int events = Integer.parseInt(args[0]);
        final long first = args.length > 1 ? Long.parseLong(args[1]) : 1;
        final var clock = ManagementFactory.getThreadMXBean();
        final long startNs = clock.getCurrentThreadCpuTime();
        int done = 0;
        int failures = 0;
        long seed = first;
        for (; done < events && failures == 0; seed++) {
            final int number = Math.min(EVENTS_OF_RUN, events - done);
            failures = run(seed, number);
            done += number;
            final double seconds = (clock.getCurrentThreadCpuTime() - startNs) / 1e9;
            System.err.println(String.format(Locale.ROOT, "seed %d: %d events, %.0f events/s of processor time", seed,
                done, done / seconds));
        }
        System.out.println(String.format(Locale.ROOT, "{\"id\": \"EVENTS-SIM\", \"value\": %d, \"spread\": "
            + "{\"min\": 0, \"median\": 0, \"max\": %d, \"runs\": %d}, \"parameters\": {\"events\": %d, \"seeds\": "
            + "\"%d..%d\", \"topologies\": \"leafspine and fat-tree\", \"processor-seconds\": %.0f}}", failures,
            failures, seed - first, done, first, seed - 1, (clock.getCurrentThreadCpuTime() - startNs) / 1e9));
        if (failures > 0) {
            System.exit(1);
        }
    }

    /** Runs one simulation; returns how many pairs and entries were wrong after the batch that failed. */
    static int run(final long seed, final int events) {
        final var simulation = new Simulation(topology(seed), seed);
        final var failure = simulation.run(events);
        System.err.println(String.format("seed %d: digest %016x", seed, simulation.digest()));
        failure.ifPresent(wrong -> {
            System.err.println("seed " + seed + ", batch " + wrong.batch() + " failed; run it again with: "
                + "EventsSimulation " + events + " " + seed);
            wrong.events().forEach(event -> System.err.println("  " + event));
            wrong.missing().forEach(missing -> System.err.println("  " + missing));
        });
        return failure.map(wrong -> wrong.missing().size()).orElse(0);
    }

    /** Leaves and spines for odd seeds, a fat-tree for even ones; some of its edge switches have one host, or none. */
    private static FabricSnapshot topology(final long seed) {
        if (seed % 2 != 0) {
            return Topologies.leafSpine(3, 2, 1, 2, RATES);
        }
        final var whole = Topologies.fatTree(4, 1, RATES);
        return new FabricSnapshot(whole.version(), whole.switches(), whole.ports(), whole.links(),
            HOSTS_OF_FAT_TREE.stream().map(whole.hosts()::get).toList());
    }
}

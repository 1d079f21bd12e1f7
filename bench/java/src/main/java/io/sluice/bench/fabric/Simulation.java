// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.SwitchId;
import io.sluice.southbound.program.Programmer.Outcome;
import io.sluice.testlib.SimulatedTime;
import io.sluice.testlib.Topologies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** One network with its controller, on which events happen in batches of 1 to 4. After each batch all is checked. */
final class Simulation {
    private static final int LARGEST_BATCH = 4;
    private static final int FLOATING = 2;
    private static final Duration POLL = Duration.ofMillis(500);
    /** All has to be well after so many polls: 10 s. */
    private static final int POLLS = 20;
    private static final Duration SETTLING = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofMillis(1);

    private final SimulatedTime time = new SimulatedTime();
    private final Random random;
    private final World world;
    private final Plant plant;
    private final Controller controller;
    private final Stations stations;
    private final Happenings happenings;
    private final Exchanges exchanges;
    private final EventDraw draw;
    private int batches;

    /** What was not as the model says 10 s after a batch. */
    record Failure(int batch, List<Event> events, List<String> missing) {
        Failure {
            events = List.copyOf(events);
            missing = List.copyOf(missing);
        }
    }

    /** Starts a controller on {@code whole}, and waits until all stations are known. */
    Simulation(final FabricSnapshot whole, final long seed) {
        random = new Random(seed);
        world = new World(whole, FLOATING);
        plant = new Plant(time, new Random(random.nextLong()), whole);
        controller = new Controller(time, new Random(random.nextLong()), plant);
        stations = new Stations(time, new Random(random.nextLong()), world, plant);
        exchanges = new Exchanges(world, stations, new Random(random.nextLong()));
        happenings = new Happenings(time, world, plant, controller, stations);
        draw = new EventDraw(new Random(random.nextLong()), world, Topologies.cables(whole), whole.switches());
        plant.start(controller, stations);
        time.advance(SETTLING);
        world.addresses().forEach(address -> stations.announce(world.owner(address), address));
        time.advance(SETTLING);
    }

    /** Lets {@code events} events happen; returns the first failure. */
    Optional<Failure> run(final int events) {
        int left = events;
        while (left > 0) {
            final var batch = new ArrayList<Event>();
            final int size = Math.min(left, 1 + random.nextInt(LARGEST_BATCH));
            while (batch.size() < size) {
                final var event = draw.next(happenings.busy());
                batch.add(event);
                happenings.begin(event);
                time.advance(Duration.ofNanos(draw.pauseNs()));
            }
            time.advance(happenings.remaining());
            batches++;
            left -= size;
            final var missing = check();
            if (!missing.isEmpty()) {
                return Optional.of(new Failure(batches, batch, missing));
            }
        }
        return Optional.empty();
    }

    /** Returns a number that is the same for two runs only if they went the same way, to the nanosecond. */
    long digest() {
        return plant.digest();
    }

    private List<String> check() {
        exchanges.begin();
        List<String> missing = List.of();
        for (int poll = 0; poll < POLLS; poll++) {
            exchanges.attempt();
            time.advance(POLL);
            missing = exchanges.missing();
            if (missing.isEmpty()) {
                missing = differences();
            }
            if (missing.isEmpty()) {
                return missing;
            }
        }
        return missing;
    }

    private List<String> differences() {
        final var validated = controller.validate().toCompletableFuture();
        while (!validated.isDone()) {
            time.advance(ANSWER);
        }
        final var differences = new ArrayList<String>();
        final Map<SwitchId, Outcome> outcomes = validated.join();
        outcomes.forEach((switchId, outcome) -> {
            if (outcome instanceof Outcome.Compared compared) {
                compared.comparison().differences().forEach(difference ->
                    differences.add(switchId + ": " + difference.kind() + " " + difference.key()));
            } else {
                differences.add(switchId + ": " + outcome);
            }
        });
        final Set<SwitchId> absent = new HashSet<>(controller.snapshot().switches());
        absent.removeAll(outcomes.keySet());
        absent.stream().sorted().forEach(switchId -> differences.add(switchId + ": not compared"));
        return differences;
    }
}

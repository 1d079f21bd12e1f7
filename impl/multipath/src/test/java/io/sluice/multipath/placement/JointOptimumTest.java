// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Path;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The joint strategy against all combinations of servers and paths, and against the published method. */
class JointOptimumTest {
    private static final int CASES = 1000;
    private static final int MAX_COMBINATIONS = 3000;

    /** A fabric with flows on it, and a demand of two or three pieces. */
    private record Case(Scene scene, Demand demand, List<List<Option>> options) {
        static Case random(final Random random) {
            final var scene = scene(random);
            final int hosts = scene.fabric.hosts().size();
            for (int flow = random.nextInt(5); flow > 0; flow--) {
                final var paths = scene.shortest(1 + random.nextInt(hosts), 1 + random.nextInt(hosts));
                if (!paths.isEmpty()) {
                    scene.keep(paths.get(random.nextInt(paths.size())));
                }
            }
            final var servers = new ArrayList<Candidate>();
            for (int host = 2; host <= hosts; host++) {
                servers.add(scene.server(host, random.nextDouble(), 1 + random.nextInt(3)));
            }
            final var pieces = new ArrayList<Piece>();
            for (int number = 1; number <= 2 + random.nextInt(2); number++) {
                Collections.shuffle(servers, random);
                pieces.add(new Piece(number, servers.subList(0, 1 + random.nextInt(Math.min(3, servers.size())))));
            }
            final var demand = scene.demand(Strategy.JOINT, 1, pieces);
            final var bounded = random.nextInt(3) > 0 ? demand : new Demand(demand.client(), demand.clientEdge(),
                pieces, demand.paths(), Optional.of(Bandwidth.ofMegabits(1 + random.nextInt(40))), Strategy.JOINT, 0);
            return new Case(scene, bounded, pieces.stream().map(piece -> piece.candidates().stream()
                .flatMap(candidate -> paths(scene, bounded.clientEdge(), candidate.edge()).stream()
                    .map(path -> new Option(candidate, path, new PathFinder(scene.fabric).reversed(path))))
                .toList()).toList());
        }

        private static Scene scene(final Random random) {
            final var rates = new Rates(Bandwidth.ofMegabits(400), Bandwidth.ofMegabits(100),
                Bandwidth.ofMegabits(100));
            return switch (random.nextInt(3)) {
                case 0 -> new Scene(Topologies.leafSpine(2 + random.nextInt(2), 3, 1 + random.nextInt(2), 1, rates));
                default -> Scene.random(random, 7);
            };
        }

        int combinations() {
            return options.stream().mapToInt(List::size).reduce(1, (product, size) ->
                Math.min(MAX_COMBINATIONS + 1, product * size));
        }

        /** What all flows get, from the smallest on, if the pieces take {@code chosen}. */
        long[] levels(final List<Option> chosen) {
            final var shares = scene.world().shares();
            chosen.forEach(option ->
                shares.add(shares.channel(option.forward(), option.backward(), demand.bandwidth())));
            return Scene.rates(shares).stream().mapToLong(SortedRates::level).toArray();
        }

        long[] levels(final Strategy strategy) {
            final var placed = scene.placed(new Demand(demand.client(), demand.clientEdge(), demand.pieces(),
                demand.paths(), demand.bandwidth(), strategy, 0));
            return levels(placed.stream().map(one ->
                new Option(one.candidate(), one.forward(), one.backward())).toList());
        }

        /** The best levels of all combinations that the servers have room for; null if there is none. */
        long[] optimum() {
            return optimum(List.of(), new HashMap<>(), null);
        }

        private long[] optimum(final List<Option> chosen, final Map<Candidate, Integer> used, final long[] best) {
            if (chosen.size() == options.size()) {
                final var levels = levels(chosen);
                return best == null || Arrays.compare(levels, best) > 0 ? levels : best;
            }
            var better = best;
            for (var option : options.get(chosen.size())) {
                if (used.getOrDefault(option.candidate(), 0) < option.candidate().room()) {
                    used.merge(option.candidate(), 1, Integer::sum);
                    final var more = new ArrayList<>(chosen);
                    more.add(option);
                    better = optimum(more, used, better);
                    used.merge(option.candidate(), -1, Integer::sum);
                }
            }
            return better;
        }

        /** All paths without a loop that are at most a quarter longer than the shortest. */
        private static List<Path> paths(final Scene scene, final SwitchId from, final SwitchId to) {
            var open = List.of(new Path(from, from, List.of()));
            final var found = new ArrayList<Path>();
            int longest = Integer.MAX_VALUE;
            for (int length = 0; length <= longest && !open.isEmpty(); length++) {
                final var ending = open.stream().filter(path -> path.destination().equals(to)).toList();
                found.addAll(ending);
                longest = !ending.isEmpty() && longest == Integer.MAX_VALUE ? length * 5 / 4 : longest;
                open = open.stream().filter(path -> !path.destination().equals(to))
                    .flatMap(path -> longer(scene, path).stream()).toList();
            }
            return found;
        }

        private static List<Path> longer(final Scene scene, final Path path) {
            return scene.fabric.links().stream().filter(link ->
                link.source().switchId().equals(path.destination())
                    && !link.destination().switchId().equals(path.source()) && path.links().stream().noneMatch(
                        passed -> passed.destination().switchId().equals(link.destination().switchId())))
                .map(link -> {
                    final var links = new ArrayList<>(path.links());
                    links.add(link);
                    return new Path(path.source(), link.destination().switchId(), links);
                }).toList();
        }
    }

    @Test
    void theOptimumIsReachedNearlyAlwaysAndThePublishedMethodIsNeverBetter() {
        int reached = 0;
        int cases = 0;
        for (long seed = 0; cases < CASES; seed++) {
            final var one = Case.random(new Random(seed));
            final var optimum = one.combinations() > MAX_COMBINATIONS ? null : one.optimum();
            if (optimum == null) {
                continue;
            }
            cases++;
            final var joint = one.levels(Strategy.JOINT);
            final var greedy = one.levels(Strategy.GREEDY);
            reached += Arrays.compare(joint, optimum) >= 0 ? 1 : 0;
            assertTrue(Arrays.compare(joint, greedy) >= 0, "seed " + seed + ": joint " + Arrays.toString(joint)
                + ", greedy " + Arrays.toString(greedy));
        }
        assertTrue(reached >= CASES * 95 / 100, reached + " of " + CASES);
    }
}

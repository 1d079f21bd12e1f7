// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.RandomProblems;
import io.sluice.planner.lp.EdgeProgram;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Vnf;
import io.sluice.planner.placement.PlacementAnswer.Hint;
import io.sluice.planner.placement.PlacementAnswer.Overloaded;
import io.sluice.planner.placement.PlacementAnswer.Placed;
import io.sluice.planner.placement.PlacementAnswer.Unroutable;
import io.sluice.planner.plan.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class VnfPlacementTest {
    private static final int PROBLEMS = 45;
    private static final int MAX_CHOICES = 20;
    private static final long CAPACITY = 400_000;
    private static final long LITTLE_PPM = 50_000;
    private static final double TOLERANCE = 1e-6;
    private static final Limits EXACT = new Limits(1e-9, 2, () -> false);

    @Test
    void theProgramFindsTheBestOfAllChoices() {
        int tried = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var task = PlacementTask.forAll(RandomProblems.of(seed), 1 + (int) seed % 2, CAPACITY);
            final var choices = choices(task);
            if (choices.size() <= MAX_CHOICES) {
                final var label = "seed " + seed;
                final var optimum = optimum(task, choices);
                final var answer = VnfPlacement.solve(task, EXACT);
                if (optimum.isPresent()) {
                    final var placed = assertInstanceOf(Placed.class, answer, label);
                    assertEquals(optimum.getAsDouble(), placed.value(), tolerance(placed), label);
                    assertEquals(optimum.getAsDouble(), placed.bound(), tolerance(placed), label);
                    checkHints(label, task, placed);
                    tried++;
                }
            }
        }
        assertTrue(tried > PROBLEMS / 4, "only " + tried + " problems were small enough");
    }

    @Test
    void theSearchProvesItsGap() {
        double gaps = 0;
        int tried = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var task = PlacementTask.forAll(RandomProblems.of(seed), 1, CAPACITY);
            if (VnfPlacement.solve(task, EXACT) instanceof Placed exact
                    && VnfPlacement.search(task, EXACT) instanceof Placed found) {
                assertTrue(found.value() >= exact.value() * (1 - TOLERANCE), label);
                assertTrue(found.bound() <= exact.value() + tolerance(exact), label);
                assertEquals(found.value() - found.bound(), found.gap() * found.value(), tolerance(found), label);
                checkHints(label, task, found);
                gaps += exact.value() > 0 ? found.value() / exact.value() - 1 : 0;
                tried++;
            }
        }
        assertTrue(gaps / tried < 0.01, "beyond the optimum by " + gaps / tried + " on average");
    }

    @Test
    void noneIsWorseThanRandom() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var task = PlacementTask.forAll(RandomProblems.of(seed), 1, CAPACITY);
            if (VnfPlacement.solve(task, EXACT) instanceof Placed placed) {
                final var random = task.anywhere(new Random(seed));
                final var label = "seed " + seed;
                VnfPlacement.route(task, random, EXACT).ifPresent(routed ->
                    assertTrue(routed.value() >= placed.value() * (1 - TOLERANCE), label));
            }
        }
    }

    @Test
    void whatCannotBeCarriedIsNamed() {
        final var problem = RandomProblems.of(2);
        final var huge = new Change.Traffic(1_000_000_000).applyTo(problem);
        assertTrue(assertInstanceOf(Overloaded.class,
            VnfPlacement.solve(PlacementTask.forAll(huge, 1, CAPACITY), EXACT)).scale() < 0.01);
        assertInstanceOf(Unroutable.class,
            VnfPlacement.solve(PlacementTask.forAll(bare(problem), 0, CAPACITY), EXACT));
        assertThrows(IllegalArgumentException.class, () -> new PlacementTask(problem, Map.of(99, 1), CAPACITY));
        assertThrows(IllegalArgumentException.class, () -> new PlacementTask(problem, Map.of(0, 1), 0));
    }

    /**
     * Chains use several VNFs that are at no site yet, or only where they may use nothing; there is little traffic, so
     * that each choice can carry it.
     */
    @Test
    void theSearchPlacesVnfsThatAreNowhereYet() {
        double beyond = 0;
        int tried = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = new Change.Traffic(LITTLE_PPM).applyTo(seed % 2 == 0
                ? bare(RandomProblems.of(seed)) : closedAtFirst(RandomProblems.of(seed)));
            final var task = PlacementTask.forAll(problem, 1, CAPACITY);
            final var choices = choices(task);
            if (choices.size() <= MAX_CHOICES && problem.vnfs().size() > 1) {
                final var placed = assertInstanceOf(Placed.class, VnfPlacement.search(task, EXACT), label);
                final double optimum = optimum(task, choices).orElseThrow();
                checkHints(label, task, placed);
                beyond += optimum > 0 ? placed.value() / optimum - 1 : 0;
                tried++;
            }
        }
        assertTrue(tried > PROBLEMS / 4, "only " + tried + " problems were small enough");
        assertTrue(beyond / tried < 0.01, "beyond the optimum by " + beyond / tried + " on average");
    }

    /** VNFs of no load, at no site yet: new ones are hinted at all the same, by the program and by the search. */
    @Test
    void aVnfWithoutLoadIsHintedAtTheSitesThatItNeeds() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = RandomProblems.of(seed);
            final var light = new Change.Traffic(LITTLE_PPM).applyTo(new Problem(problem.network(), problem.sites(),
                problem.vnfs().stream().map(vnf -> new Vnf(vnf.name(), 0, List.of(new Deployment(0, 0)))).toList(),
                problem.chains()));
            final var task = PlacementTask.forAll(light, 1, CAPACITY);
            final var needed = problem.chains().stream().flatMap(chain -> chain.vnfs().stream())
                .collect(Collectors.toSet());
            for (final var answer : List.of(VnfPlacement.solve(task, EXACT), VnfPlacement.search(task, EXACT))) {
                final var hints = assertInstanceOf(Placed.class, answer, label).hints();
                assertEquals(needed, hints.stream().map(Hint::vnf).collect(Collectors.toSet()), label);
                assertTrue(hints.stream().allMatch(hint -> hint.site() > 0 && hint.cyclesPerSecond() == 1), label);
            }
        }
    }

    /** Capacities may be as large as there are numbers; sites limit them. */
    @Test
    void hugeCapacitiesAndNoChainsHaveAnswers() {
        final var problem = RandomProblems.of(4);
        assertInstanceOf(Placed.class, VnfPlacement.solve(PlacementTask.forAll(problem, 9, Long.MAX_VALUE), EXACT));
        final var empty = problem.withChains(List.of());
        assertEquals(new Placed(List.of(), 0, 0, 0),
            VnfPlacement.solve(PlacementTask.forAll(empty, 1, CAPACITY), EXACT));
    }

    @Test
    void sameAnswerEachTime() {
        final var task = PlacementTask.forAll(RandomProblems.of(7), 1, CAPACITY);
        assertEquals(VnfPlacement.search(task, EXACT), VnfPlacement.search(task, new Limits(1e-9, 1, () -> false)));
    }

    /** The problem with all VNFs at no site. */
    private static Problem bare(final Problem problem) {
        return new Problem(problem.network(), problem.sites(), problem.vnfs().stream()
            .map(vnf -> new Vnf(vnf.name(), vnf.cyclesPerKilobyte(), List.of())).toList(), problem.chains());
    }

    /** The problem with all VNFs at one site, where they may use nothing. */
    private static Problem closedAtFirst(final Problem problem) {
        return new Problem(problem.network(), problem.sites(), problem.vnfs().stream()
            .map(vnf -> new Vnf(vnf.name(), vnf.cyclesPerKilobyte(), List.of(new Deployment(0, 0)))).toList(),
            problem.chains());
    }

    private static double tolerance(final Placed placed) {
        return TOLERANCE * Math.max(1, placed.value());
    }

    private static void checkHints(final String label, final PlacementTask task, final Placed placed) {
        final var chosen = placed.hints().stream().collect(Collectors.groupingBy(Hint::vnf,
            Collectors.mapping(Hint::site, Collectors.toSet())));
        chosen.forEach((vnf, sites) -> {
            assertTrue(sites.size() <= task.newSites().get(vnf), label);
            assertTrue(task.candidates(vnf).containsAll(sites), label);
        });
        assertTrue(placed.hints().stream().allMatch(hint -> hint.cyclesPerSecond() <= CAPACITY), label);
        final double reached = EdgeProgram.optimum(task.with(chosen), Objective.LATENCY).orElseThrow();
        assertEquals(reached, placed.value(), tolerance(placed), label);
    }

    private static OptionalDouble optimum(final PlacementTask task, final List<Map<Integer, Set<Integer>>> choices) {
        return choices.stream().map(choice -> EdgeProgram.optimum(task.with(choice), Objective.LATENCY))
            .flatMapToDouble(OptionalDouble::stream).min();
    }

    /** All that open as many sites as they may: fewer are never better. */
    private static List<Map<Integer, Set<Integer>>> choices(final PlacementTask task) {
        List<Map<Integer, Set<Integer>>> choices = List.of(Map.of());
        for (final int vnf : task.newSites().keySet()) {
            final var more = new ArrayList<Map<Integer, Set<Integer>>>();
            for (final var sites : subsets(task.candidates(vnf), task.newSites().get(vnf))) {
                for (final var choice : choices) {
                    final var longer = new HashMap<>(choice);
                    longer.put(vnf, sites);
                    more.add(longer);
                }
            }
            choices = more;
        }
        return choices;
    }

    private static List<Set<Integer>> subsets(final List<Integer> sites, final int size) {
        if (size == 0 || sites.isEmpty()) {
            return List.of(Set.of());
        }
        if (sites.size() <= size) {
            return List.of(Set.copyOf(sites));
        }
        final var rest = sites.subList(1, sites.size());
        final var all = new ArrayList<>(subsets(rest, size));
        for (final var subset : subsets(rest, size - 1)) {
            final var with = new HashSet<>(subset);
            with.add(sites.get(0));
            all.add(with);
        }
        return all;
    }
}

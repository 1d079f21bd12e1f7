// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.CapacityAnswer.Expanded;
import io.sluice.planner.lp.CapacityAnswer.Unroutable;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Additions;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Vnf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CapacityPlanningTest {
    private static final int PROBLEMS = RandomProblems.number(150);
    private static final double TOLERANCE = 1e-6;
    /** Capacities of these problems are 100,000 and more, and additions whole cycles. */
    private static final double ROUNDING = 2e-5;
    private static final Limits EXACT = new Limits(1e-9, 2, () -> false);

    @Test
    void findsTheOptimumOfTheEdgeProgram() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            for (final long extra : new long[] {0, 1, 100_000, 1_000_000, 1_000_000_000_000L}) {
                final var label = "seed " + seed + ", extra " + extra;
                final double optimum = EdgeProgram.scaleWith(problem, extra).orElseThrow();
                final var expanded = expanded(problem, extra);

                assertEquals(optimum, expanded.bound(), TOLERANCE * optimum, label);
                assertEquals(optimum, expanded.value(), ROUNDING * optimum, label);
                assertTrue(expanded.additions().total() <= extra, label);
                assertTrue(expanded.value() <= expanded.bound() * (1 + 1e-9), label);
                assertEquals(1 - expanded.value() / expanded.bound(), expanded.gap(), 1e-9, label);
            }
        }
    }

    /** What is said of the additions holds for the problem with them, solved anew by the paper's program. */
    @Test
    void theAdditionsReachTheValue() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final var expanded = expanded(problem, 500_000);
            final double reached = EdgeProgram.optimum(expanded.additions().applyTo(problem), Objective.SCALE)
                .orElseThrow();
            assertTrue(reached >= expanded.value() * (1 - TOLERANCE), "seed " + seed);
            assertTrue(reached <= expanded.bound() * (1 + ROUNDING), "seed " + seed);
        }
    }

    @Test
    void noOtherAdditionsAreBetter() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final double bound = expanded(problem, 500_000).bound();
            for (final var other : List.of(Additions.uniform(problem, 500_000),
                    Additions.random(problem, 500_000, new Random(seed)))) {
                final double scale = EdgeProgram.optimum(other.applyTo(problem), Objective.SCALE).orElseThrow();
                assertEquals(500_000, other.total());
                assertTrue(scale <= bound * (1 + ROUNDING), "seed " + seed + ": " + scale + " beyond " + bound);
            }
        }
    }

    /** To the last cycle, with any number of threads. */
    @Test
    @Tag("slow")
    void equalQuestionsHaveEqualAnswers() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var first = expanded(RandomProblems.of(seed), 500_000);
            final var again = assertInstanceOf(Expanded.class, CapacityPlanning.solve(
                Instance.of(RandomProblems.of(seed)), 500_000, new Limits(EXACT.gap(), 3, () -> false)));
            assertEquals(first.additions(), again.additions(), "seed " + seed);
            assertEquals(first.value(), again.value(), "seed " + seed);
            assertEquals(first.bound(), again.bound(), "seed " + seed);
        }
    }

    /** The prices that minimise the augmented Lagrangian have norm 1, and no more than the budget is spent. */
    @Test
    void levelsAreThoseOfTheDerivation() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var random = new Random(seed);
            final var instance = Instance.of(RandomProblems.of(seed));
            final var expansion = new Expansion(instance, random.nextLong(10_000, 5_000_000));
            final var use = random.doubles(instance.rows(), 0, 2).toArray();
            final var price = random.doubles(instance.rows(), 0, 0.1).toArray();
            final double stiffness = random.nextDouble(0.1, 10);
            final var levels = new double[instance.rows()];
            expansion.level(price, stiffness, use, levels);

            final var renewed = new double[instance.rows()];
            final var levelOf = new double[expansion.groups()];
            for (int row = 0; row < renewed.length; row++) {
                renewed[row] = Math.max(0, price[row] + stiffness * (use[row] - levels[row]));
                levelOf[expansion.group(row)] = levels[row];
            }
            assertEquals(1, expansion.norm(renewed), TOLERANCE, "seed " + seed);
            double spent = 0;
            for (int number = 1; number < expansion.groups(); number++) {
                spent += expansion.weight(number) * (levelOf[number] - levelOf[0]);
            }
            assertTrue(spent <= levelOf[0] * (1 + TOLERANCE), "seed " + seed + ": " + spent + " of " + levelOf[0]);
        }
    }

    /** Bounds hold at any prices, also far from the optimum. */
    @Test
    void anyPricesBoundTheScale() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var random = new Random(seed);
            final var problem = RandomProblems.of(seed);
            final var instance = Instance.of(problem);
            final var expansion = new Expansion(instance, 500_000);
            final var pricing = new Pricing(instance, new Relaxation.Expanded(expansion, 1), 1);
            final double bound = pricing.run(random.doubles(instance.rows(), 0, 1).toArray());
            assertTrue(1 / bound >= EdgeProgram.scaleWith(problem, 500_000).orElseThrow() * (1 - TOLERANCE),
                "seed " + seed);
        }
    }

    /** Whenever it is stopped, it has proven its gap, and has something better than the same for each site. */
    @Test
    void aStoppedRunProvesItsGapAndBeatsItsBaseline() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final var uniform = Instance.of(Additions.uniform(problem, 500_000).applyTo(problem));
            final double optimum = EdgeProgram.scaleWith(problem, 500_000).orElseThrow();
            for (final int most : new int[] {0, 1, 3, 10}) {
                final var label = "seed " + seed + ", stopped after " + most;
                final double baseline = assertInstanceOf(Routed.class,
                    ChainRouting.solve(uniform, Objective.SCALE, stoppedAfter(most)), label).value();
                final var stopped = assertInstanceOf(Expanded.class,
                    CapacityPlanning.solve(Instance.of(problem), 500_000, stoppedAfter(most)), label);
                assertTrue(stopped.value() >= baseline * (1 - ROUNDING), label);
                assertTrue(stopped.value() <= optimum * (1 + TOLERANCE), label);
                assertTrue(stopped.bound() >= optimum * (1 - TOLERANCE), label);
                assertEquals(Math.max(0, 1 - stopped.value() / stopped.bound()), stopped.gap(), TOLERANCE, label);
            }
        }
    }

    /** In both halves: what is told can be reached, and bounds what any additions reach, nearer and nearer. */
    @Test
    void whatIsToldOfEachRoundHolds() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final double optimum = EdgeProgram.scaleWith(problem, 500_000).orElseThrow();
            final var steps = new ArrayList<double[]>();
            final var answer = CapacityPlanning.solve(Instance.of(problem), 500_000,
                EXACT.observedBy((value, bound, gap) -> steps.add(new double[] {value, bound, gap})));
            double before = Double.POSITIVE_INFINITY;
            for (final var step : steps) {
                final var label = "seed " + seed + ": " + Arrays.toString(step) + " around " + optimum;
                assertTrue(step[0] <= optimum * (1 + TOLERANCE) && step[1] >= optimum * (1 - TOLERANCE), label);
                assertTrue(step[1] <= before * (1 + 1e-12), label);
                assertEquals(Math.max(0, 1 - step[0] / step[1]), step[2], 1e-9, label);
                before = step[1];
            }
            assertEquals(before, assertInstanceOf(Expanded.class, answer).bound(), "seed " + seed);
        }
    }

    @Test
    void bothHalvesTellOfTheirRounds() {
        final var told = new AtomicInteger();
        CapacityPlanning.solve(Instance.of(RandomProblems.of(1)), 500_000,
            stoppedAfter(0).observedBy((value, bound, gap) -> told.incrementAndGet()));
        assertEquals(2, told.get());
    }

    private static Limits stoppedAfter(final int most) {
        final var asked = new AtomicInteger();
        return new Limits(0, 1, () -> asked.getAndIncrement() >= most);
    }

    @Test
    void aClosedSiteDoesNotGrow() {
        final var problem = RandomProblems.of(6);
        final var sites = new ArrayList<>(problem.sites());
        sites.add(new Site(0, 0));
        final var more = new Problem(problem.network(), sites, problem.vnfs(), problem.chains());
        assertEquals(expanded(problem, 500_000).value(), expanded(more, 500_000).value(), ROUNDING);
        assertEquals(0, Additions.uniform(more, 500_000).ofSite().get(sites.size() - 1));
        assertThrows(IllegalArgumentException.class, () -> new Additions(IntStream.range(0, sites.size())
            .mapToObj(site -> 1L).toList()).applyTo(more));
    }

    @Test
    void oddQuestionsHaveAnswers() {
        final var problem = RandomProblems.of(3);
        final var empty = new Problem(problem.network(), problem.sites(), problem.vnfs(), List.of());
        assertEquals(Additions.none(empty), expanded(empty, 500_000).additions());
        final var bare = problem.vnfs().stream()
            .map(vnf -> new Vnf(vnf.name(), vnf.cyclesPerKilobyte(), List.of())).toList();
        final var lost = new Problem(problem.network(), problem.sites(), bare, problem.chains());
        assertInstanceOf(Unroutable.class, CapacityPlanning.solve(Instance.of(lost), 500_000, EXACT));
        final var instance = Instance.of(problem);
        for (final long extra : new long[] {-1, Long.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> CapacityPlanning.solve(instance, extra, EXACT));
        }
        assertEquals(expanded(problem, 1_000_000_000_000L).bound(), expanded(problem, Long.MAX_VALUE / 2).bound(),
            TOLERANCE);
    }

    private static Expanded expanded(final Problem problem, final long extra) {
        return assertInstanceOf(Expanded.class, CapacityPlanning.solve(Instance.of(problem), extra, EXACT));
    }
}

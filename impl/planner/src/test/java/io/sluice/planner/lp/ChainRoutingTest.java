// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;
import io.sluice.planner.lp.RoutingAnswer.Overloaded;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.lp.RoutingAnswer.Stopped;
import io.sluice.planner.lp.RoutingAnswer.Unroutable;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChainRoutingTest {
    private static final int PROBLEMS = RandomProblems.number(150);
    private static final double TOLERANCE = 1e-6;
    private static final Limits EXACT = new Limits(1e-9, 2, () -> false);

    /** The reference has a variable for each chain, stage and pair of nodes, as the paper has. */
    @ParameterizedTest
    @EnumSource(Objective.class)
    void findsTheOptimumOfTheEdgeProgram(final Objective objective) {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final var instance = Instance.of(problem);
            compare("seed " + seed, instance, EdgeProgram.optimum(problem, objective),
                ChainRouting.solve(instance, objective, EXACT));
        }
    }

    /** Given ways and delays, links that are down, what is closed, and VNFs without load. */
    @ParameterizedTest
    @EnumSource(Objective.class)
    void findsTheOptimumOfOddProblemsToo(final Objective objective) {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.odd(seed);
            compare("seed " + seed, Instance.of(problem), EdgeProgram.optimum(problem, objective),
                ChainRouting.solve(Instance.of(problem), objective, EXACT));
        }
    }

    /** So little, or so much, that tolerances of the solver would hide what the routes use. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-12, 1e-7, 1e-3, 1e3, 1e7, 1e12})
    void theScaleIsThatOfTheRoutesHoweverMuchTrafficThereIs(final double traffic) {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = RandomProblems.of(seed);
            final var instance = Instance.of(problem).scaledBy(traffic);
            final double optimum = EdgeProgram.optimum(problem, Objective.SCALE).orElseThrow() / traffic;
            for (final var limits : List.of(EXACT, Limits.standard())) {
                final var routed = assertInstanceOf(Routed.class,
                    ChainRouting.solve(instance, Objective.SCALE, limits), label);
                assertTrue(routed.gap() <= limits.gap() + TOLERANCE, label);
                assertTrue(routed.value() >= optimum * (1 - limits.gap() - TOLERANCE), label);
                assertTrue(routed.bound() >= optimum * (1 - TOLERANCE), label);
                assertEquals(1 - routed.value() / routed.bound(), routed.gap(), TOLERANCE, label);
                checkRoutes(label, instance, routed);
            }
        }
    }

    /** To the last bit, and each time. */
    @ParameterizedTest
    @EnumSource(Objective.class)
    void sameAnswerWithAnyNumberOfThreads(final Objective objective) {
        int programs = 0;
        for (long seed = 0; seed < 50; seed++) {
            final var label = "seed " + seed;
            final var first = ChainRouting.solve(Instance.of(RandomProblems.of(seed)), objective, EXACT);
            for (final int threads : new int[] {1, 2, 3}) {
                final var again = ChainRouting.solve(Instance.of(RandomProblems.of(seed)), objective,
                    new Limits(1e-9, threads, () -> false));
                if (first instanceof Routed one) {
                    checkSame(label, one, assertInstanceOf(Routed.class, again, label));
                    programs += one.rounds();
                } else {
                    assertEquals(first, again, label);
                }
            }
        }
        assertTrue(programs > 0, "no linear program was solved");
    }

    private static void checkSame(final String label, final Routed one, final Routed other) {
        assertEquals(one.value(), other.value(), label);
        assertEquals(one.bound(), other.bound(), label);
        assertEquals(one.rounds(), other.rounds(), label);
        assertArrayEquals(one.prices(), other.prices(), label);
        for (int chain = 0; chain < one.splits().size(); chain++) {
            assertTrue(one.splits().get(chain).isLike(other.splits().get(chain)), label + ", chain " + chain);
        }
    }

    /** Rounding leaves a gap of 1e-16 or so that nothing closes. */
    @ParameterizedTest
    @EnumSource(Objective.class)
    void aRunForNoGapAtAllEndsWhenNothingIsLeftToAdd(final Objective objective) {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            if (ChainRouting.solve(Instance.of(RandomProblems.of(seed)), objective, new Limits(0, 1, () -> false))
                    instanceof Routed routed) {
                assertTrue(routed.rounds() < 50, "seed " + seed + ": " + routed.rounds() + " rounds");
                assertTrue(routed.gap() < 1e-9, "seed " + seed + ": " + routed.gap());
            }
        }
    }

    @Test
    void aScaleThatIsReachedIsLeastLatencysLimit() {
        final var instance = Instance.of(RandomProblems.of(2));
        final double scale = assertInstanceOf(Routed.class, ChainRouting.solve(instance, Objective.SCALE, EXACT))
            .value();

        assertInstanceOf(Routed.class,
            ChainRouting.solve(instance.scaledBy(scale * 0.999), Objective.LATENCY, EXACT));
        assertEquals(1 / 1.01, assertInstanceOf(Overloaded.class,
            ChainRouting.solve(instance.scaledBy(scale * 1.01), Objective.LATENCY, EXACT)).scale(), TOLERANCE);
    }

    @Test
    void namesChainsWithoutAnyDeployment() {
        final var problem = RandomProblems.of(3);
        final var empty = problem.vnfs().stream()
            .map(vnf -> new Vnf(vnf.name(), vnf.cyclesPerKilobyte(), List.of())).toList();
        final var closed = Instance.of(new Problem(problem.network(), problem.sites(), empty, problem.chains()));
        final var lost = IntStream.range(0, problem.chains().size())
            .filter(chain -> !problem.chains().get(chain).vnfs().isEmpty()).boxed().toList();

        assertEquals(lost, assertInstanceOf(Unroutable.class,
            ChainRouting.solve(closed, Objective.LATENCY, EXACT)).chains());
        assertEquals(problem.chains().stream().filter(chain -> chain.vnfs().isEmpty())
            .mapToLong(chain -> chain.stages().get(0).total().bitsPerSecond()).sum(),
            assertInstanceOf(Routed.class, ChainRouting.solve(closed, Objective.CARRIED, EXACT)).value(), 1);
    }

    /** What a VNF does without any load it does not do at a closed site, nor where it is closed itself. */
    @Test
    void aVnfWithoutLoadKeepsAwayFromWhatIsClosed() {
        final var stage = new Stage(new Bandwidth(1_000), Bandwidth.ZERO);
        final var chain = new Chain("c", List.of(0), List.of(0), List.of(0), List.of(stage, stage));
        final var links = List.of(new Link(0, 1, new Bandwidth(1_000_000), Bandwidth.ZERO, 1_000_000, 70, 1),
            new Link(1, 0, new Bandwidth(1_000_000), Bandwidth.ZERO, 1_000_000, 70, 1));
        for (final int closed : List.of(0, 1, 2, 3)) {
            final var sites = List.of(new Site(0, closed == 0 ? 0 : 9), new Site(1, closed == 2 ? 0 : 9));
            final var vnf = new Vnf("nat", 0, List.of(new Deployment(0, closed < 2 ? 0 : 9),
                new Deployment(1, closed == 3 ? 0 : 9)));
            final var instance = Instance.of(new Problem(new Network(List.of("a", "b"), links), sites, List.of(vnf),
                List.of(chain)));
            assertEquals(closed < 2 ? 2 * 1_000 * 70 : 0, assertInstanceOf(Routed.class,
                ChainRouting.solve(instance, Objective.LATENCY, EXACT)).value(), 1, "case " + closed);
        }
        final var shut = new Vnf("nat", 0, List.of(new Deployment(0, 9), new Deployment(1, 0)));
        assertEquals(new Unroutable(List.of(0), "no route at all for c (VNF nat has no open deployment)"),
            ChainRouting.solve(Instance.of(new Problem(
            new Network(List.of("a", "b"), links), List.of(new Site(0, 0), new Site(1, 9)), List.of(shut),
            List.of(chain))), Objective.LATENCY, EXACT));
    }

    @Test
    void anEmptyProblemHasAnAnswer() {
        final var problem = RandomProblems.of(4);
        final var empty = Instance.of(new Problem(problem.network(), problem.sites(), problem.vnfs(), List.of()));
        for (final var objective : Objective.values()) {
            assertInstanceOf(Routed.class, ChainRouting.solve(empty, objective, EXACT));
        }
    }

    /** The chain would stay at its node, but only half of it can, however far the other site is. */
    @ParameterizedTest
    @ValueSource(longs = {70, 5_000, 100_000, 4_000_000_000L})
    void leastLatencyMayBeNothingWithoutCapacities(final long delayUs) {
        final var links = List.of(new Link(0, 1, new Bandwidth(1_000_000), Bandwidth.ZERO, 1_000_000, delayUs, 1),
            new Link(1, 0, new Bandwidth(1_000_000), Bandwidth.ZERO, 1_000_000, delayUs, 1));
        final var vnf = new Vnf("nat", 8_000, List.of(new Deployment(0, 1_000), new Deployment(1, 9_000)));
        final var stage = new Stage(new Bandwidth(1_000), Bandwidth.ZERO);
        final var problem = new Problem(new Network(List.of("a", "b"), links), List.of(new Site(0, 9_000),
            new Site(1, 9_000)), List.of(vnf), List.of(new Chain("c", List.of(0), List.of(0), List.of(0),
            List.of(stage, stage))));
        final double least = 2.0 * 500 * delayUs;
        assertEquals(least, assertInstanceOf(Routed.class,
            ChainRouting.solve(Instance.of(problem), Objective.LATENCY, EXACT)).value(), TOLERANCE * least);
    }

    /** Whenever it is stopped it has a bound that holds, and routes of the value it says, or of the share it says. */
    @ParameterizedTest
    @EnumSource(Objective.class)
    void aStoppedRunStillProvesItsGap(final Objective objective) {
        int partly = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var instance = Instance.of(RandomProblems.of(seed));
            if (ChainRouting.solve(instance, objective, EXACT) instanceof Routed exact) {
                final double sign = objective == Objective.LATENCY ? 1 : -1;
                for (final int most : new int[] {0, 1, 4, 6}) {
                    final var label = "seed " + seed + ", stopped after " + most;
                    final var asked = new AtomicInteger();
                    final var answer = ChainRouting.solve(instance, objective,
                        new Limits(0, 1, () -> asked.getAndIncrement() >= most));
                    final double slack = TOLERANCE * Math.max(1, exact.value());
                    if (answer instanceof Routed routed) {
                        assertTrue(sign * (routed.value() - exact.value()) >= -slack, label);
                        assertTrue(sign * (routed.bound() - exact.value()) <= slack, label);
                        checkRoutes(label, instance, routed);
                    } else {
                        final var stopped = assertInstanceOf(Stopped.class, answer, label);
                        assertTrue(stopped.bound() <= exact.value() + slack, label);
                        checkPart(label, instance, stopped);
                        partly++;
                    }
                }
            }
        }
        assertEquals(objective == Objective.LATENCY, partly > 0);
    }

    private static void compare(final String label, final Instance instance, final OptionalDouble optimum,
            final RoutingAnswer answer) {
        if (optimum.isEmpty()) {
            assertInstanceOf(Overloaded.class, answer, label);
            return;
        }
        final var routed = assertInstanceOf(Routed.class, answer, label);
        final double tolerance = TOLERANCE * Math.max(1, optimum.getAsDouble());
        assertEquals(optimum.getAsDouble(), routed.value(), tolerance, label);
        assertEquals(optimum.getAsDouble(), routed.bound(), tolerance, label);
        checkRoutes(label, instance, routed);
    }

    private static void checkRoutes(final String label, final Instance instance, final Routed routed) {
        checkRoutes(label, instance, routed.splits(), routed.objective() == Objective.SCALE ? 1 / routed.value() : 1);
    }

    /** The routes carry as much as is said, and not all. */
    private static void checkPart(final String label, final Instance instance, final Stopped stopped) {
        checkRoutes(label, instance, stopped.splits(), 1);
        double carried = 0;
        double demand = 0;
        for (int chain = 0; chain < instance.chainCount(); chain++) {
            carried += stopped.splits().get(chain).carried() * instance.chain(chain).demand();
            demand += instance.chain(chain).demand();
        }
        assertEquals(carried / demand, stopped.carried(), TOLERANCE, label);
        assertTrue(stopped.carried() > 0 && stopped.carried() < 1, label);
    }

    /** All traffic is accounted for, and no row is filled beyond the limit. */
    private static void checkRoutes(final String label, final Instance instance, final List<Split> splits,
            final double limit) {
        for (int chain = 0; chain < instance.chainCount(); chain++) {
            final var split = splits.get(chain);
            assertEquals(1, IntStream.range(0, split.size()).mapToDouble(split::fraction).sum(), TOLERANCE,
                label + ", chain " + chain);
        }
        final double[] use = Shares.ofAll(instance, splits);
        for (int row = 0; row < use.length; row++) {
            assertTrue(use[row] <= limit * (1 + TOLERANCE), label + ": " + instance.rowName(row) + " is used "
                + use[row]);
        }
    }
}

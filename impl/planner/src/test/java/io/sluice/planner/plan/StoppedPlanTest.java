// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static io.sluice.planner.plan.SmallProblems.direct;
import static io.sluice.planner.plan.SmallProblems.pair;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.RandomProblems;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Problem;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Plans that are kept while there is no time to finish them: each is asked for until it is stopped. */
class StoppedPlanTest {
    private static final int PROBLEMS = 40;

    private final KeptPlan kept = new KeptPlan();

    /** Half of each link is gone; two chains at a time it becomes the plan that nothing stopped. */
    @Test
    void whatWasStoppedWhileTheNetworkChangedGoesOnTheNextTime() {
        int stops = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = RandomProblems.of(seed);
            final var order = new Order(RandomProblems.halved(problem));
            final var unhurried = new KeptPlan();
            final var hurried = new KeptPlan();
            KeptPlanTest.follow(unhurried, new Order(problem));
            KeptPlanTest.follow(hurried, new Order(problem));
            stops += stops(hurried, order, label);
            final var after = KeptPlanTest.splits(KeptPlanTest.follow(hurried, order));
            KeptPlanTest.splits(KeptPlanTest.follow(unhurried, order)).forEach((chain, split) ->
                assertTrue(split.isLike(after.get(chain)), label + ", " + chain));
        }
        assertTrue(stops > 0, "nothing was ever stopped");
    }

    /** The first of two links fails, and before there was time for that another chain is ordered. */
    @Test
    void whoIsDisplacedComesBeforeWhoIsNewThoughItWasStopped() {
        follow(pair(1_000, direct("old", 600)));
        assertEquals(Optional.empty(), kept.follow(new Order(pair(0, direct("old", 600))), () -> true));
        final var after = follow(pair(0, direct("new", 900), direct("old", 600)));
        assertEquals(600, after.carried("old").bitsPerSecond());
        assertEquals(400, after.carried("new").bitsPerSecond());
    }

    /** The first of two links fails, and there is time for two chains of four; another one grows again and again. */
    @Test
    void whatGoesOnEndsThoughChainsChangeMeanwhile() {
        final var old = List.of(direct("a", 300), direct("b", 300), direct("c", 300));
        follow(pair(1_000).withChains(old));
        for (long bps = 10; bps < 30; bps += 10) {
            assertEquals(Optional.empty(), kept.follow(grown(old, bps), stopAfterTwo()));
        }
        final var last = kept.follow(grown(old, 30), stopAfterTwo()).orElseThrow();
        assertEquals(930, last.figures().carried().bitsPerSecond());
    }

    @Test
    void whatWasStoppedWhileChainsChangedGoesOnTheNextTime() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final var order = new Order(problem.withChains(problem.chains().stream()
                .map(chain -> PlanTest.times(chain, 1_100_000)).toList()));
            follow(problem.withChains(problem.chains().subList(0, problem.chains().size() / 2)));
            stops(kept, order, "seed " + seed);
            final var plan = KeptPlanTest.follow(kept, order);
            assertEquals(Set.copyOf(order.problem().chains()), Set.copyOf(plan.problem().chains()));
        }
    }

    @Test
    void aPlanThatWasStoppedIsThatOfBefore() {
        final var problem = RandomProblems.of(3);
        assertEquals(Optional.empty(), kept.follow(new Order(problem), () -> true));
        final var before = follow(problem);
        final double[] use = before.routing().use();
        final int used = IntStream.range(0, use.length).filter(row -> use[row] > 0).findFirst().orElseThrow();
        final var other = new Change.LinksDown(Set.of(used)).applyTo(problem);
        assertEquals(Optional.empty(), kept.follow(new Order(other), () -> true));
        assertSame(before, follow(problem));
        assertNotSame(before, follow(other));
    }

    /** There is not even time to try all weights. */
    @Test
    void aPlanThatWasStoppedAtItsBeginningGoesOnTheNextTime() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var order = new Order(RandomProblems.of(seed));
            final var fresh = new KeptPlan();
            stops(fresh, order, "seed " + seed);
            final var plan = KeptPlanTest.follow(fresh, order);
            assertEquals(Set.copyOf(order.problem().chains()), Set.copyOf(plan.problem().chains()));
        }
    }

    private static Order grown(final List<Chain> old, final long bps) {
        return new Order(pair(0).withChains(Stream.concat(old.stream(), Stream.of(direct("grows", bps))).toList()));
    }

    /** How often a plan is asked for in vain that is stopped when it has asked twice. */
    private static int stops(final KeptPlan kept, final Order order, final String label) {
        int stops = 0;
        while (kept.follow(order, stopAfterTwo()).isEmpty()) {
            stops++;
            assertTrue(stops <= order.problem().chains().size(), label + " never ends");
        }
        return stops;
    }

    private static BooleanSupplier stopAfterTwo() {
        final var asked = new AtomicInteger();
        return () -> asked.incrementAndGet() > 2;
    }

    private Plan follow(final Problem problem) {
        return KeptPlanTest.follow(kept, new Order(problem));
    }
}

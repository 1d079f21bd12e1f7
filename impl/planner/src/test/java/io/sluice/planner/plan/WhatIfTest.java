// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.RandomProblems;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.model.Site;
import io.sluice.planner.plan.Admission.Refused;
import io.sluice.planner.plan.Admission.Unreachable;
import io.sluice.planner.plan.Change.SiteAdded;
import io.sluice.planner.plan.Change.SiteDown;
import io.sluice.planner.plan.Change.Traffic;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WhatIfTest {
    private static final int PROBLEMS = RandomProblems.number(60);
    /** Seed of a problem in which a VNF runs at site 0 alone. */
    private static final long CUT_OFF = 1;
    /** Loops that may ask once more each after a stop. */
    private static final int STOPS = 8;
    private static final Risks NO_RISKS = new Risks(List.of());

    @Test
    void wonderingChangesNothing() {
        for (long seed = 0; seed < RandomProblems.number(20); seed++) {
            final var problem = RandomProblems.of(seed);
            final var plan = PlanTest.filled(problem);
            final var routes = PlanTest.routes(plan);
            final var whatIf = WhatIf.of(plan, NO_RISKS, new Traffic(1_500_000), Limits.standard()).orElseThrow();

            assertEquals(routes, PlanTest.routes(plan), "seed " + seed);
            assertEquals(plan.figures(), whatIf.before(), "seed " + seed);
            assertEquals(1.5, whatIf.scaleBefore() / whatIf.scaleAfter(), 1e-3, "seed " + seed);
            assertEquals(whatIf.shortOf().isEmpty(),
                whatIf.after().carried().bitsPerSecond() >= whatIf.after().demand().bitsPerSecond() - 100);
        }
    }

    @Test
    void aNewSiteBringsRoomAndMovesNobodyWhoHasEnough() {
        int moved = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = RandomProblems.shortOfCompute(RandomProblems.of(seed));
            final var plan = Plan.of(problem, () -> false);
            final var needy = plan.all().stream().filter(placed -> placed.split().carried() < 1 - Plan.ROUNDING)
                .map(placed -> placed.chain().name()).toList();
            final long large = 1_000_000_000;
            final var everyVnf = IntStream.range(0, problem.vnfs().size()).boxed()
                .collect(Collectors.toMap(vnf -> vnf, vnf -> large));
            final var whatIf = WhatIf.of(plan, NO_RISKS, new SiteAdded(new Site(0, large), everyVnf),
                Limits.standard()).orElseThrow();

            if (problem.chains().stream().anyMatch(chain -> !chain.vnfs().isEmpty())) {
                assertTrue(whatIf.scaleAfter() > whatIf.scaleBefore() * 1.01, label);
            }
            assertTrue(needy.containsAll(whatIf.moved()), label + ": " + whatIf.moved() + " of " + needy);
            assertTrue(needy.containsAll(whatIf.shortOf().keySet()), label);
            assertTrue(whatIf.after().carried().compareTo(whatIf.before().carried()) >= 0, label);
            moved += whatIf.moved().size();
        }
        assertTrue(moved > 0, "nobody was short");
    }

    @Test
    void growthTellsWhoIsShortOfWhatAndWhatFits() {
        int grown = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var plan = Plan.of(RandomProblems.of(seed), () -> false);
            final var whatIf = WhatIf.of(plan, NO_RISKS, new Traffic(1_500_000), Limits.standard()).orElseThrow();
            final var isAllCarried = plan.figures().carried().equals(plan.figures().demand());
            grown += isAllCarried && !whatIf.shortOf().isEmpty() ? 1 : 0;
            assertTrue(whatIf.after().fullest() <= 1_000_001, label);
            assertEquals(!whatIf.shortOf().isEmpty(), whatIf.after().carried().bitsPerSecond()
                < whatIf.after().demand().bitsPerSecond() * (1 - 1e-6), label);
            whatIf.shortOf().values().forEach(reason ->
                assertFalse(assertInstanceOf(Refused.class, reason, label).bottleneck().isEmpty(), label));
        }
        assertTrue(grown > 0, "traffic never outgrew the network");
    }

    @Test
    void aChainWithoutARouteIsPartOfThePlan() {
        final var problem = new SiteDown(0).applyTo(RandomProblems.of(CUT_OFF));
        final var plan = Plan.of(problem, () -> false);
        final var whatIf = WhatIf.of(plan, NO_RISKS, new Traffic(1_000_000), Limits.standard()).orElseThrow();

        assertEquals(problem, plan.problem());
        assertTrue(whatIf.shortOf().containsValue(new Unreachable()), whatIf::toString);
        whatIf.shortOf().forEach((chain, reason) ->
            assertEquals(reason.equals(new Unreachable()), plan.split(chain).carried() == 0));
        assertEquals(0, whatIf.scaleBefore());
        assertEquals(List.of(), whatIf.moved());
    }

    @Test
    void oneWhoIsStoppedAnswersNothing() {
        final var problem = RandomProblems.of(1);
        final var asked = new AtomicInteger();
        int most = 0;
        boolean isAnswered = false;
        for (; !isAnswered; most++) {
            final int limit = most;
            asked.set(0);
            final var limits = new Limits(1e-4, 1, () -> asked.incrementAndGet() > limit);
            final var plan = Plan.of(problem, limits.isStopped());
            assertEquals(Math.min(limit, problem.chains().size()), plan.problem().chains().size());
            isAnswered = WhatIf.of(plan, NO_RISKS, new Traffic(2_000_000), limits).isPresent();
            assertTrue(asked.get() <= limit + STOPS, "asked " + asked + " times, told to stop after " + limit);
        }
        assertTrue(most > problem.chains().size(), "stopped by nothing");
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.plan.Admission.Refused;
import io.sluice.planner.plan.Admission.Unreachable;
import io.sluice.planner.plan.Change.LinksDown;
import io.sluice.planner.plan.Change.SiteAdded;
import io.sluice.planner.plan.Change.SiteDown;
import io.sluice.planner.plan.Change.Traffic;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReplanningTest {
    private static final int PROBLEMS = 60;
    /** Seed of a problem in which a VNF runs at site 0 alone. */
    private static final long CUT_OFF = 1;
    /** Loops that may ask once more each after a stop. */
    private static final int STOPS = 8;

    @Test
    void aLostLinkMovesOnlyWhoUsedItAndWhomTheDetourCrowdsOut() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var plan = PlanTest.filled(RandomProblems.of(seed));
            for (int link = 0; link < plan.problem().network().links().size(); link++) {
                final var label = "seed " + seed + ", link " + link;
                final var replanned = plan.on(new LinksDown(Set.of(link)).applyTo(plan.problem()), Set.of());
                check(label, plan, replanned);
                assertEquals(0, use(replanned.plan())[link], label);
                if (use(plan)[link] == 0) {
                    assertEquals(List.of(), replanned.moved(), label);
                }
            }
        }
    }

    @Test
    void aLostSiteIsLeftAndComesBackWithItsRepair() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var plan = PlanTest.filled(RandomProblems.of(seed));
            final int row = plan.problem().network().links().size();
            final var without = plan.on(new SiteDown(0).applyTo(plan.problem()), Set.of());
            check("seed " + seed, plan, without);
            assertEquals(0, use(without.plan())[row], "seed " + seed);

            final var repaired = without.plan().on(plan.problem(), Set.of());
            check("seed " + seed, without.plan(), repaired);
            assertTrue(without.shortOf().keySet().containsAll(repaired.moved()), "seed " + seed);
        }
    }

    @Test
    void whoUsedInstancesThatFailGoesToOthersOrIsShort() {
        int moved = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var plan = PlanTest.filled(RandomProblems.of(seed));
            final int site = plan.problem().vnfs().get(0).deployments().get(0).site();
            final int row = plan.instance().deploymentRow(0);
            final var failed = plan.on(new Change.Instances(0, site, 0).applyTo(plan.problem()), Set.of());
            check(label, plan, failed);
            assertEquals(0, failed.plan().routing().use()[row], label);
            moved += failed.moved().isEmpty() ? 0 : 1;
            if (plan.routing().use()[row] == 0) {
                assertEquals(List.of(), failed.moved(), label);
            }
        }
        assertTrue(moved > 0, "nobody used the instances");
    }

    @Test
    void chainsThatAreNewAreAddedAndOthersAreRemoved() {
        final var plan = PlanTest.filled(RandomProblems.of(1));
        final var first = plan.problem().chains().get(0);
        final var renamed = new Chain("new", first.ingresses(), first.egresses(), first.vnfs(), first.stages());
        final var replanned = plan.on(plan.problem().withChains(List.of(renamed)), Set.of());

        assertEquals(List.of("new"), replanned.moved());
        assertEquals(List.of(renamed), replanned.plan().problem().chains());
    }

    @Test
    void whatSharesARiskWithAFailureIsAvoided() {
        final var risks = new Risks(List.of(Set.of(1, 2), Set.of(2, 3), Set.of(5, 6)));
        assertEquals(Set.of(1, 3), risks.suspects(Set.of(2)));
        assertEquals(Set.of(), risks.suspects(Set.of(4)));

        int left = 0;
        for (long seed = 0; seed < 20; seed++) {
            final var idle = new Traffic(1_000).applyTo(RandomProblems.of(seed));
            final var plan = PlanTest.filled(idle);
            for (int link = 0; link < idle.network().links().size(); link++) {
                final var careful = new Plan(idle, Set.of(link));
                idle.chains().forEach(chain -> careful.add(chain, false));
                assertTrue(use(careful)[link] <= use(plan)[link] * (1 + 1e-9), "seed " + seed + ", link " + link);
                left += use(careful)[link] < use(plan)[link] / 2 ? 1 : 0;
            }
        }
        assertTrue(left > 0, "no link could be avoided");
    }

    @Test
    void wonderingChangesNothing() {
        for (long seed = 0; seed < 20; seed++) {
            final var problem = RandomProblems.of(seed);
            final var plan = PlanTest.filled(problem);
            final var routes = PlanTest.routes(plan);
            final var whatIf = WhatIf.of(plan, new Traffic(1_500_000), Limits.standard()).orElseThrow();

            assertEquals(routes, PlanTest.routes(plan), "seed " + seed);
            assertEquals(plan.figures(), whatIf.before(), "seed " + seed);
            assertEquals(1.5, whatIf.scaleBefore() / whatIf.scaleAfter(), 1e-3, "seed " + seed);
            assertEquals(whatIf.shortOf().isEmpty(),
                whatIf.after().carried().bitsPerSecond() >= whatIf.after().demand().bitsPerSecond() - 100);
        }
    }

    @Test
    void aNewSiteBringsRoomAndMovesNobodyWhoHasEnough() {
        final var problem = RandomProblems.of(7);
        final var plan = PlanTest.filled(problem);
        final long large = 1_000_000_000;
        final var whatIf = WhatIf.of(plan, new SiteAdded(new Site(0, large), Map.of(0, large)), Limits.standard())
            .orElseThrow();

        assertTrue(whatIf.scaleAfter() >= whatIf.scaleBefore() * (1 - 1e-3));
        assertEquals(List.of(), whatIf.moved());
    }

    @Test
    void growthTellsWhoIsShortOfWhatAndWhatFits() {
        int grown = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var plan = Plan.of(RandomProblems.of(seed), () -> false);
            final var whatIf = WhatIf.of(plan, new Traffic(1_500_000), Limits.standard()).orElseThrow();
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
        final var whatIf = WhatIf.of(plan, new Traffic(1_000_000), Limits.standard()).orElseThrow();

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
            isAnswered = WhatIf.of(plan, new Traffic(2_000_000), limits).isPresent();
            assertTrue(asked.get() <= limit + STOPS, "asked " + asked + " times, told to stop after " + limit);
        }
        assertTrue(most > problem.chains().size(), "stopped by nothing");
    }

    @Test
    void proposedMovesBringWhatTheyPromise() {
        int moved = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final var plan = PlanTest.filled(problem);
            final var proposals = Proposals.of(plan, 2, Limits.standard());
            if (proposals.isPresent()) {
                final var label = "seed " + seed;
                final var moves = proposals.orElseThrow().moves();
                assertTrue(moves.size() <= 2, label);
                moves.forEach(move -> assertTrue(plan.move(move.chain(), move.split()), label));
                final double gain = moves.stream().mapToDouble(Proposals.Move::gain).sum();
                assertEquals(proposals.orElseThrow().latency() - gain, plan.figures().latency(), 1, label);
                assertTrue(plan.figures().latency() >= proposals.orElseThrow().least() * (1 - 1e-6), label);
                assertTrue(plan.figures().fullest() <= 1_000_001, label);
                moved += moves.size();
            }
        }
        assertTrue(moved > 0, "nothing was ever proposed");
    }

    /** Chains that were not moved are where they were, and nothing is overfull. */
    private static void check(final String label, final Plan before, final Replanned after) {
        final var was = PlanTest.routes(before);
        final var is = PlanTest.routes(after.plan());
        assertEquals(was.keySet(), is.keySet(), label);
        for (final var name : was.keySet()) {
            assertEquals(after.moved().contains(name), !was.get(name).equals(is.get(name)), label + ", " + name);
            assertEquals(after.shortOf().containsKey(name), after.plan().split(name).carried() < 1 - 1e-5, label);
        }
        assertTrue(after.plan().figures().fullest() <= 1_000_001, label);
        assertFalse(after.plan() == before, label);
    }

    private static double[] use(final Plan plan) {
        final Problem problem = plan.problem();
        final var instance = Instance.of(problem);
        final var shares = new Shares(instance);
        for (int chain = 0; chain < instance.chainCount(); chain++) {
            final var split = plan.split(problem.chains().get(chain).name());
            for (int index = 0; index < split.size(); index++) {
                split.addTo(shares, instance.chain(chain), index, split.fraction(index));
            }
        }
        final var use = new double[instance.rows()];
        shares.addTo(use, 1);
        return use;
    }
}

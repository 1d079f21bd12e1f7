// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import io.sluice.planner.plan.Admission.Refused;
import io.sluice.planner.plan.Admission.Unreachable;
import io.sluice.planner.plan.Change.LinksDown;
import io.sluice.planner.plan.Change.SiteAdded;
import io.sluice.planner.plan.Change.SiteDown;
import io.sluice.planner.plan.Change.Traffic;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplanningTest {
    private static final int PROBLEMS = 60;
    /** Seed of a problem in which a VNF runs at site 0 alone. */
    private static final long CUT_OFF = 1;
    /** Loops that may ask once more each after a stop. */
    private static final int STOPS = 8;
    private static final Risks NO_RISKS = new Risks(List.of());

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

    /** Whoever configures a bandwidth of 0 and whoever wonders about a loss see the same. */
    @Test
    void aLinkWithoutBandwidthIsALostLink() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final var plan = PlanTest.filled(problem);
            final var links = new ArrayList<>(problem.network().links());
            final var first = links.get(0);
            links.set(0, new Link(first.name(), first.from(), first.to(), Bandwidth.ZERO, first.background(),
                first.utilisationLimitPpm(), first.delayUs(), first.weight()));
            final var configured = plan.on(new Problem(new Network(problem.network().nodes(), links), problem.sites(),
                problem.vnfs(), plan.problem().chains()), Set.of());
            final var wondered = plan.on(new LinksDown(Set.of(0)).applyTo(plan.problem()), Set.of());

            assertEquals(PlanTest.routes(wondered.plan()), PlanTest.routes(configured.plan()), "seed " + seed);
            assertEquals(wondered.plan().figures(), configured.plan().figures(), "seed " + seed);
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
    void aVnfWithoutLoadLeavesALostSiteToo() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final var light = new Problem(problem.network(), problem.sites(), problem.vnfs().stream()
                .map(vnf -> new Vnf(vnf.name(), 0, vnf.deployments())).toList(), problem.chains());
            final var without = Plan.of(light, () -> false).on(new SiteDown(0).applyTo(light), Set.of()).plan();
            for (final var placed : without.all()) {
                final var path = placed.chain().vnfs();
                for (int layer = 1; layer <= path.size(); layer++) {
                    final var deployments = light.vnfs().get(path.get(layer - 1)).deployments();
                    for (int at = 0; at < deployments.size(); at++) {
                        assertFalse(deployments.get(at).site() == 0 && placed.split().uses(layer, at),
                            "seed " + seed + ", " + placed.chain().name());
                    }
                }
            }
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
            final var problem = shortOfCompute(RandomProblems.of(seed));
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

    /** The problem with a twentieth of the compute, so that nothing else is short. */
    static Problem shortOfCompute(final Problem problem) {
        return new Problem(problem.network(), problem.sites().stream()
            .map(site -> site.withCapacity(site.cyclesPerSecond() / 20)).toList(), problem.vnfs(),
            problem.chains());
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

    /** What another chain can't have, and what it had, stay as they are when something far away changes. */
    @Test
    void whoIsShortKeepsWhatItHas() {
        int shortChains = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var plan = Plan.of(new Traffic(3_000_000).applyTo(RandomProblems.of(seed)), () -> false);
            final var same = plan.on(plan.problem(), Set.of());
            for (final var placed : plan.all()) {
                final var name = placed.chain().name();
                assertTrue(same.plan().carried(name).compareTo(plan.carried(name)) >= 0, label + ", " + name);
                assertEquals(!placed.isWhole(), same.shortOf().containsKey(name), label + ", " + name);
                shortChains += placed.isWhole() ? 0 : 1;
            }
            assertEquals(List.of(), same.moved(), label);
        }
        assertTrue(shortChains > 0, "nobody was short");
    }

    /** A link of 1,000 carries 400 of one chain and all 1,000 of another, which may overfill it. */
    @Test
    void whoMayOverfillCrowdsNobodyOut() {
        final var link = new Link(0, 1, new Bandwidth(1_000), Bandwidth.ZERO, 1_000_000, 5, 1);
        final var problem = new Problem(new Network(List.of("a", "b"), List.of(link)), List.of(), List.of(),
            List.of(chain("one", 400), chain("two", 1_000)));
        final var order = new Order(problem, NO_RISKS, Set.of("two"));
        final var plan = Plan.of(order, Guide.NONE, () -> false);
        final var replanned = plan.on(order, () -> false);

        assertEquals(List.of(), replanned.moved());
        assertEquals(400, replanned.plan().carried("one").bitsPerSecond());
        assertEquals(1_000, replanned.plan().carried("two").bitsPerSecond());
        final var half = plan.on(order.on(new Problem(new Network(List.of("a", "b"), List.of(new Link(0, 1,
            new Bandwidth(300), Bandwidth.ZERO, 1_000_000, 5, 1))), List.of(), List.of(), problem.chains())),
            () -> false);
        assertEquals(Set.of("one"), half.shortOf().keySet());
        assertEquals(1_000, half.plan().carried("two").bitsPerSecond());
    }

    /** Both come at once, or lose their link at once, or one is new when the other loses it; last by name and size. */
    @Test
    void whoMayOverfillComesLast() {
        final var bulk = chain("bulk", 1_000);
        final var zone = chain("zone", 400);
        final var both = new Order(pair(0, bulk, zone), NO_RISKS, Set.of("bulk"));
        final var none = Plan.of(both.on(pair(2_000)), Guide.NONE, () -> false);
        final var one = Plan.of(both.on(pair(2_000, bulk)), Guide.NONE, () -> false);
        final var two = Plan.of(both.on(pair(2_000, bulk, zone)), Guide.NONE, () -> false);
        for (final var plan : List.of(Plan.of(both, Guide.NONE, () -> false), none.on(both, () -> false).plan(),
                one.on(both, () -> false).plan(), two.on(both, () -> false).plan())) {
            assertEquals(1_000, plan.carried("bulk").bitsPerSecond());
            assertEquals(400, plan.carried("zone").bitsPerSecond());
        }
    }

    /** One link of 1,000 carries 1,300; who may not overfill it any more gives way, though another takes more. */
    @Test
    void whoMayNotOverfillAnyMoreGivesWay() {
        final var chains = List.of(chain("large", 700), chain("was", 600));
        final var before = Plan.of(new Order(pair(0).withChains(chains), NO_RISKS, Set.of("was")), Guide.NONE,
            () -> false);
        final var after = before.on(new Order(pair(0).withChains(chains)), () -> false).plan();
        assertEquals(700, after.carried("large").bitsPerSecond());
        assertEquals(300, after.carried("was").bitsPerSecond());
        assertSame(before.split("large"), after.split("large"));
    }

    /** Half of the capacity is gone, and there was no time to find other routes. */
    @Test
    void nothingIsOverfullThoughItWasStopped() {
        int displaced = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var plan = Plan.of(RandomProblems.of(seed), () -> false);
            final var stopped = plan.on(new Order(halved(plan.problem())), () -> true).plan();
            assertTrue(stopped.figures().fullest() <= 1_000_001, "seed " + seed);
            displaced += plan.all().size() - stopped.all().size();
        }
        assertTrue(displaced > 0, "all had room");
    }

    /** The problem with half of each link. */
    static Problem halved(final Problem problem) {
        return new Problem(problem.network().withLinks(problem.network().links().stream().map(link ->
            new Link(link.name(), link.from(), link.to(), new Bandwidth(link.bandwidth().bitsPerSecond() / 2),
                link.background(), link.utilisationLimitPpm(), link.delayUs(), link.weight())).toList()),
            problem.sites(), problem.vnfs(), problem.chains());
    }

    /** Of two links of 1,000 the first fails; who was on it comes before who is new, though that asks for more. */
    @Test
    void whoLostItsRouteComesBeforeWhoIsNew() {
        final var before = Plan.of(pair(1_000, chain("old", 400)), () -> false);
        final var after = before.on(pair(0, chain("new", 900), chain("old", 400)), Set.of());
        assertEquals(400, after.plan().carried("old").bitsPerSecond());
        assertEquals(600, after.plan().carried("new").bitsPerSecond());
        assertEquals(Set.of("new"), after.shortOf().keySet());
    }

    /** One link of 1,000; who asks for more gives way, though another takes more of it. */
    @Test
    void whoGrewGivesWay() {
        final var before = Plan.of(pair(0, chain("large", 700), chain("grown", 200)), () -> false);
        final var after = before.on(pair(0, chain("large", 700), chain("grown", 500)), Set.of());
        assertEquals(700, after.plan().carried("large").bitsPerSecond());
        assertEquals(300, after.plan().carried("grown").bitsPerSecond());
        assertSame(before.split("large"), after.plan().split("large"));
    }

    /** A copy of what is used for each of the 6,000 rows would be 280 MB. */
    @Test
    void whatIsUsedIsCopiedOnceAndNotForEachRow() {
        final var before = Plan.of(many(3_000, 1_000_000), () -> false);
        final var bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long allocated = bean.getCurrentThreadAllocatedBytes();
        final var after = before.on(many(3_000, 900_000), Set.of());

        final long bytes = bean.getCurrentThreadAllocatedBytes() - allocated;
        assertTrue(bytes < 70_000_000, bytes + " bytes");
        assertEquals(List.of(), after.moved());
    }

    /** A VNF at so many sites, and a chain. */
    private static Problem many(final int sites, final long cyclesPerSecond) {
        final var stage = new Stage(new Bandwidth(8_000), Bandwidth.ZERO);
        return new Problem(new Network(List.of("a"), List.of()),
            IntStream.range(0, sites).mapToObj(site -> new Site("s" + site, 0, cyclesPerSecond)).toList(),
            List.of(new Vnf("v", 1_000, IntStream.range(0, sites)
                .mapToObj(site -> new Deployment(site, cyclesPerSecond)).toList())),
            List.of(new Chain("c", List.of(0), List.of(0), List.of(0), List.of(stage, stage))));
    }

    private static Problem pair(final long firstBps, final Chain... chains) {
        return new Problem(new Network(List.of("a", "b"), List.of(
            new Link(0, 1, new Bandwidth(firstBps), Bandwidth.ZERO, 1_000_000, 5, 1),
            new Link(0, 1, new Bandwidth(1_000), Bandwidth.ZERO, 1_000_000, 5, 1))), List.of(), List.of(),
            List.of(chains));
    }

    private static Chain chain(final String name, final long bps) {
        return new Chain(name, List.of(0), List.of(1), List.of(), List.of(new Stage(new Bandwidth(bps),
            Bandwidth.ZERO)));
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
    }

    private static double[] use(final Plan plan) {
        final Problem problem = plan.problem();
        return Shares.ofAll(Instance.of(problem), problem.chains().stream().map(chain -> plan.split(chain.name()))
            .toList());
    }
}

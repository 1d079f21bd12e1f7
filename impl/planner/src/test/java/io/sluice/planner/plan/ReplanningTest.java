// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static io.sluice.planner.plan.SmallProblems.direct;
import static io.sluice.planner.plan.SmallProblems.line;
import static io.sluice.planner.plan.SmallProblems.link;
import static io.sluice.planner.plan.SmallProblems.pair;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import io.sluice.planner.plan.Change.LinksDown;
import io.sluice.planner.plan.Change.SiteDown;
import io.sluice.planner.plan.Change.Traffic;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplanningTest {
    private static final int PROBLEMS = RandomProblems.number(60);
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
        for (long seed = 0; seed < RandomProblems.number(20); seed++) {
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
        final var problem = line(direct("one", 400), direct("two", 1_000));
        final var order = new Order(problem, NO_RISKS, Set.of("two"));
        final var plan = Plan.of(order, Guide.NONE, () -> false);
        final var replanned = plan.on(order, () -> false);

        assertEquals(List.of(), replanned.moved());
        assertEquals(400, replanned.plan().carried("one").bitsPerSecond());
        assertEquals(1_000, replanned.plan().carried("two").bitsPerSecond());
        final var less = plan.on(order.on(new Problem(problem.network().withLinks(List.of(link(0, 1, 300, 5))),
            List.of(), List.of(), problem.chains())), () -> false);
        assertEquals(Set.of("one"), less.shortOf().keySet());
        assertEquals(1_000, less.plan().carried("two").bitsPerSecond());
    }

    /** Both come at once, or lose their link at once, or one is new when the other loses it; last by name and size. */
    @Test
    void whoMayOverfillComesLast() {
        final var bulk = direct("bulk", 1_000);
        final var zone = direct("zone", 400);
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
        final var chains = List.of(direct("large", 700), direct("was", 600));
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
            final var stopped = plan.on(new Order(RandomProblems.halved(plan.problem())), () -> true).plan();
            assertTrue(stopped.figures().fullest() <= 1_000_001, "seed " + seed);
            displaced += plan.all().size() - stopped.all().size();
        }
        assertTrue(displaced > 0, "all had room");
    }

    /** Of two links of 1,000 the first fails; who was on it comes before who is new, though that asks for more. */
    @Test
    void whoLostItsRouteComesBeforeWhoIsNew() {
        final var before = Plan.of(pair(1_000, direct("old", 400)), () -> false);
        final var after = before.on(pair(0, direct("new", 900), direct("old", 400)), Set.of());
        assertEquals(400, after.plan().carried("old").bitsPerSecond());
        assertEquals(600, after.plan().carried("new").bitsPerSecond());
        assertEquals(Set.of("new"), after.shortOf().keySet());
    }

    /** One link of 1,000; who asks for more gives way, though another takes more of it. */
    @Test
    void whoGrewGivesWay() {
        final var before = Plan.of(pair(0, direct("large", 700), direct("grown", 200)), () -> false);
        final var after = before.on(pair(0, direct("large", 700), direct("grown", 500)), Set.of());
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

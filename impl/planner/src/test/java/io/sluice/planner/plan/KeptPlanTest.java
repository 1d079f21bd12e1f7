// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static io.sluice.planner.plan.SmallProblems.direct;
import static io.sluice.planner.plan.SmallProblems.line;
import static io.sluice.planner.plan.SmallProblems.link;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Split;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Routing;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import io.sluice.planner.plan.Admission.Admitted;
import io.sluice.planner.plan.Admission.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeptPlanTest {
    private static final int PROBLEMS = RandomProblems.number(40);

    private final KeptPlan kept = new KeptPlan();

    @Test
    void chainsThatComeAndGoMoveNoOther() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final var chains = problem.chains();
            final var before = splits(follow(problem.withChains(chains.subList(0, chains.size() - 1))));
            final var whole = chains.stream().filter(chain -> before.containsKey(chain.name())
                && before.get(chain.name()).carried() >= 1 - Plan.ROUNDING).toList();
            final var after = splits(follow(problem));
            chains.stream().filter(chain -> before.containsKey(chain.name()) && !whole.contains(chain)).forEach(chain ->
                assertKeeps(before.get(chain.name()), after.get(chain.name()), chain.name()));
            final var gone = splits(follow(problem.withChains(whole)));
            assertEquals(whole.size(), gone.size());
            for (final var chain : whole) {
                assertSame(before.get(chain.name()), after.get(chain.name()), "seed " + seed);
                assertSame(before.get(chain.name()), gone.get(chain.name()), "seed " + seed);
            }
        }
    }

    @Test
    void aChainThatChangesMovesNoOtherAndStaysWhereItHasRoom() {
        int stayed = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = RandomProblems.of(seed);
            final var before = splits(follow(problem));
            final var first = problem.chains().get(0);
            final var all = new ArrayList<>(problem.chains());
            all.set(0, PlanTest.times(first, 900_000));
            final var plan = follow(problem.withChains(all));
            final var after = splits(plan);
            assertEquals(Set.copyOf(all), Set.copyOf(plan.problem().chains()), label);
            assertTrue(problem.equalsButForChains(plan.problem()), label);
            assertTrue(plan.figures().fullest() <= 1_000_001, label);
            all.stream().skip(1).filter(chain -> before.get(chain.name()).carried() >= 1 - Plan.ROUNDING)
                .forEach(chain -> assertSame(before.get(chain.name()), after.get(chain.name()), label));
            if (before.get(first.name()).carried() >= 1 - Plan.ROUNDING) {
                assertSame(before.get(first.name()), after.get(first.name()), label);
                stayed++;
            }
        }
        assertTrue(stayed > 0, "no chain ever had room");
    }

    @Test
    void whoIsShortTakesWhatAnotherGaveUp() {
        final var problem = new Change.Traffic(20_000_000).applyTo(ways(1_000));
        final var one = problem.chains().get(0);
        final var two = new Chain("two", one.ingresses(), one.egresses(), one.vnfs(), one.stages());
        follow(problem.withChains(List.of(one, two)));
        assertEquals(1_000, follow(problem.withChains(List.of(one, two))).carried("two").bitsPerSecond());
        final var less = follow(problem.withChains(List.of(PlanTest.times(one, 500_000), two)));
        assertEquals(1_000, less.carried("chain").bitsPerSecond());
        assertEquals(2_000, less.carried("two").bitsPerSecond());
        assertEquals(new Admitted(), follow(problem.withChains(List.of(two))).shortage("two"));
    }

    /** On a link of 1,000: what one that goes leaves is not for one that asks for more, nor for one that is new. */
    @Test
    void whoIsShortComesBeforeWhoAsksForMore() {
        follow(line(direct("gone", 100), direct("other", 500), direct("short", 500)));
        final var after = follow(line(direct("new", 100), direct("other", 600), direct("short", 500)));
        assertEquals(500, after.carried("short").bitsPerSecond());
        assertEquals(500, after.carried("other").bitsPerSecond());
        assertEquals(0, after.carried("new").bitsPerSecond());

        final var elsewhere = new Chain("other", List.of(1), List.of(1), List.of(), direct("other", 500).stages());
        final var left = follow(line(direct("new", 600), elsewhere, direct("short", 600)));
        assertEquals(600, left.carried("short").bitsPerSecond());
        assertEquals(400, left.carried("new").bitsPerSecond());
    }

    /** On a link of 1,000: both are new, or one has half of it already. */
    @Test
    void whoMayOverfillComesLast() {
        final var problem = line(direct("bulk", 1_000), direct("zone", 400));
        for (final var before : List.of(line(), line(direct("bulk", 500)))) {
            final var fresh = new KeptPlan();
            follow(fresh, new Order(before));
            final var plan = follow(fresh, new Order(problem, new Risks(List.of()), Set.of("bulk")));
            assertEquals(1_000, plan.carried("bulk").bitsPerSecond());
            assertEquals(400, plan.carried("zone").bitsPerSecond());
        }
    }

    /** A chain that is short lost no route, and nothing of one. */
    private static void assertKeeps(final Split before, final Split after, final String label) {
        final var kept = after.copy();
        for (int index = 0; index < before.size(); index++) {
            final var route = before.routeCopy(index);
            assertTrue(kept.fraction(kept.indexOf(route, route.length)) >= before.fraction(index) - 1e-9, label);
        }
    }

    /** A site is added, and all is numbered the other way round, as if names had come between. */
    @Test
    void aNewSiteMovesNobodyWhoHasEnough() {
        int stayed = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.shortOfCompute(RandomProblems.of(seed));
            final var everyVnf = IntStream.range(0, problem.vnfs().size()).boxed()
                .collect(Collectors.toMap(vnf -> vnf, vnf -> 1_000_000_000L));
            final var changed = new Change.SiteAdded(new Site("new", 0, 1_000_000_000), everyVnf).applyTo(problem);
            final var before = follow(problem);
            final var after = follow(reversed(changed));
            for (final var chain : problem.chains()) {
                if (before.find(chain.name()).orElseThrow().isWhole()) {
                    assertEquals(Set.copyOf(before.explain(chain.name()).routes()),
                        Set.copyOf(after.explain(chain.name()).routes()), "seed " + seed + ", " + chain.name());
                    stayed++;
                }
            }
        }
        assertTrue(stayed > 0, "all were short");
    }

    private static Problem reversed(final Problem problem) {
        final var network = problem.network();
        final var nodes = backwards(network.nodes().size());
        final var links = backwards(network.links().size());
        final var sites = backwards(problem.sites().size());
        final var vnfs = backwards(problem.vnfs().size());
        return new Problem(new Network(network.nodes().reversed(),
            network.links().reversed().stream().map(link -> new Link(link.name(), nodes.applyAsInt(link.from()),
                nodes.applyAsInt(link.to()), link.bandwidth(), link.background(), link.utilisationLimitPpm(),
                link.delayUs(), link.weight())).toList(),
            network.routings().stream().map(routing -> new Routing(nodes.applyAsInt(routing.from()),
                nodes.applyAsInt(routing.to()), routing.ppmOfLink().entrySet().stream().collect(Collectors.toMap(
                    share -> links.applyAsInt(share.getKey()), Map.Entry::getValue)))).toList()),
            problem.sites().reversed().stream().map(site -> new Site(site.name(), nodes.applyAsInt(site.node()),
                site.cyclesPerSecond())).toList(),
            problem.vnfs().reversed().stream().map(vnf -> new Vnf(vnf.name(), vnf.cyclesPerKilobyte(),
                vnf.deployments().reversed().stream().map(each -> new Deployment(sites.applyAsInt(each.site()),
                    each.cyclesPerSecond())).toList())).toList(),
            problem.chains().stream().map(chain -> new Chain(chain.name(), all(chain.ingresses(), nodes),
                all(chain.egresses(), nodes), all(chain.vnfs(), vnfs), chain.stages())).toList());
    }

    private static IntUnaryOperator backwards(final int count) {
        return number -> count - 1 - number;
    }

    private static List<Integer> all(final List<Integer> numbers, final IntUnaryOperator there) {
        return numbers.stream().map(there::applyAsInt).toList();
    }

    @Test
    void whoIsShortKeepsItsRoutesWhenOthersGo() {
        int grown = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = new Change.Traffic(3_000_000).applyTo(RandomProblems.of(seed));
            final var before = splits(follow(problem));
            final var rest = problem.withChains(problem.chains().stream().skip(1).toList());
            final var after = splits(follow(rest));
            for (final var chain : rest.chains()) {
                assertKeeps(before.get(chain.name()), after.get(chain.name()), "seed " + seed + " " + chain.name());
                grown += after.get(chain.name()).carried() > before.get(chain.name()).carried() ? 1 : 0;
            }
        }
        assertTrue(grown > 0, "nobody took what was left");
    }

    static Map<String, Split> splits(final Plan plan) {
        return plan.all().stream().collect(Collectors.toMap(placed -> placed.chain().name(), Placed::split));
    }

    @Test
    void whatHasNotChangedIsNotPlannedAgain() {
        assertSame(follow(RandomProblems.of(1)), follow(RandomProblems.of(1)));
    }

    @Test
    void aNewNodeMovesNobody() {
        final var problem = RandomProblems.of(2);
        final var nodes = new ArrayList<>(problem.network().nodes());
        nodes.add(0, "first");
        final var sites = problem.sites().stream().map(site -> new Site(site.name(), site.node() + 1,
            site.cyclesPerSecond())).toList();
        final var links = problem.network().links().stream().map(link -> new Link(link.name(), link.from() + 1,
            link.to() + 1, link.bandwidth(), link.background(), link.utilisationLimitPpm(), link.delayUs(),
            link.weight())).toList();
        final var chains = problem.chains().stream().map(chain -> new Chain(chain.name(), next(chain.ingresses()),
            next(chain.egresses()), chain.vnfs(), chain.stages())).toList();
        final var renumbered = new Problem(new Network(nodes, links), sites, problem.vnfs(), chains);

        final var before = follow(problem);
        final var splits = splits(before);
        assertEquals(before.figures(), follow(renumbered).figures());
        splits(follow(renumbered)).forEach((name, split) -> assertSame(splits.get(name), split, name));
        assertEquals(renumbered, kept.follow(new Order(renumbered), () -> false).orElseThrow().problem());
    }

    /** Three ways of one hop over b, c and d, each far longer than the last; the first two share a duct. */
    @Test
    void chainsThatMoveAvoidWhatMayFailNext() {
        final var risks = new Risks(List.of(Set.of(0, 2)));
        assertEquals("b", way(follow(ways(1_000), risks)));
        assertEquals("d", way(follow(ways(0), risks)));
        assertEquals("c", way(new KeptPlan().follow(new Order(ways(0)), () -> false).orElseThrow()));
    }

    @Test
    void onlyWhatMayBeOversubscribedIsCarriedBeyondTheCapacities() {
        final var problem = new Change.Traffic(40_000_000).applyTo(ways(1_000));
        final var order = new Order(problem, new Risks(List.of()), Set.of("chain"));
        assertEquals(3_000, follow(problem).carried("chain").bitsPerSecond());
        assertEquals(3_000, assertInstanceOf(Refused.class, follow(problem).shortage("chain")).fits().bitsPerSecond());
        assertEquals(4_000, follow(order).carried("chain").bitsPerSecond());
        assertTrue(follow(order).figures().fullest() > 1_000_000);
        assertEquals(new Admitted(), follow(order).shortage("chain"));
        assertEquals(4_000, new KeptPlan().follow(order, () -> false).orElseThrow().carried("chain").bitsPerSecond());
        assertEquals(3_000, follow(problem).carried("chain").bitsPerSecond());
    }

    private static String way(final Plan plan) {
        return plan.explain("chain").routes().get(0).names().hops().get(0).site();
    }

    private static Problem ways(final long firstBps) {
        final var links = new ArrayList<Link>();
        for (int middle = 1; middle <= 3; middle++) {
            final long delayUs = (long) Math.pow(100, middle);
            links.add(link(0, middle, middle == 1 ? firstBps : 1_000, delayUs));
            links.add(link(middle, 4, 1_000, delayUs));
        }
        final var sites = IntStream.rangeClosed(1, 3).mapToObj(node -> new Site(node, 1_000_000)).toList();
        final var vnf = new Vnf("nat", 1, IntStream.range(0, 3)
            .mapToObj(site -> new Deployment(site, 1_000_000)).toList());
        final var stage = new Stage(new Bandwidth(100), Bandwidth.ZERO);
        return new Problem(new Network(List.of("a", "b", "c", "d", "e"), links), sites, List.of(vnf),
            List.of(new Chain("chain", List.of(0), List.of(4), List.of(0), List.of(stage, stage))));
    }

    private static List<Integer> next(final List<Integer> numbers) {
        return numbers.stream().map(number -> number + 1).toList();
    }

    private Plan follow(final Problem problem) {
        return follow(new Order(problem));
    }

    private Plan follow(final Problem problem, final Risks risks) {
        return follow(new Order(problem, risks, Set.of()));
    }

    private Plan follow(final Order order) {
        return follow(kept, order);
    }

    static Plan follow(final KeptPlan kept, final Order order) {
        return kept.follow(order, () -> false).orElseThrow();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.lp.EdgeProgram;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import io.sluice.planner.plan.Admission.Admitted;
import io.sluice.planner.plan.Admission.Oversubscribed;
import io.sluice.planner.plan.Admission.Refused;
import io.sluice.planner.plan.Admission.Unreachable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final int PROBLEMS = RandomProblems.number(100);
    private static final long MILLION = 1_000_000;

    @Test
    void addingChangingAndRemovingNeverMovesAnother() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = new Change.Traffic(2 * MILLION).applyTo(RandomProblems.of(seed));
            final var plan = new Plan(problem, Set.of());
            final var routes = new HashMap<String, String>();
            for (final var chain : problem.chains()) {
                plan.add(chain, false);
                checkOthers("seed " + seed, plan, routes, chain.name());
            }
            for (final var chain : plan.problem().chains()) {
                plan.change(times(chain, 1_500_000), false);
                checkOthers("seed " + seed, plan, routes, chain.name());
            }
            for (final var chain : plan.problem().chains()) {
                plan.remove(chain.name());
                checkOthers("seed " + seed, plan, routes, chain.name());
            }
            assertEquals(0, plan.figures().fullest(), "seed " + seed);
        }
    }

    /** What fits is the optimum of the paper's linear program for this chain alone. */
    @Test
    void aRefusalSaysHowMuchWouldFit() {
        int refused = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final var chain = times(problem.chains().get(0), 20 * MILLION);
            final var alone = problem.withChains(List.of(chain));
            final double fits = EdgeProgram.optimum(alone, Objective.CARRIED).orElseThrow();
            final var plan = new Plan(problem, Set.of());
            if (plan.add(chain, false) instanceof Refused refusal) {
                refused++;
                assertEquals(fits, refusal.fits().bitsPerSecond(), 1 + 1e-6 * fits, "seed " + seed);
                assertTrue(refusal.bottleneck().matches("link .*|site .*|vnf-.* at .*"), refusal.bottleneck());
                assertEquals(0, plan.figures().chains());
                assertEquals(0, plan.figures().fullest());
                final long share = (long) (fits / chain.demand().bitsPerSecond() * MILLION);
                final var again = plan.add(times(chain, share - 10), false);
                assertEquals(new Admitted(), again, "seed " + seed + ", " + share + " ppm");
            }
        }
        assertTrue(refused > PROBLEMS / 2, "only " + refused + " were refused");
    }

    /** A linear program knows no delays: where it finds no more room than SB-DP, but for rounding, it has no say. */
    @Test
    void whoIsShortIsServedNearby() {
        int shortChains = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = new Change.Traffic(3 * MILLION).applyTo(RandomProblems.of(seed));
            final var plan = new Plan(problem, Set.of());
            for (final var chain : problem.chains()) {
                final var layered = plan.instance().layered(chain);
                final var quick = plan.routing().route(layered);
                plan.routing().release(layered, quick);
                plan.squeeze(chain, false);
                final double carried = plan.split(chain.name()).carried();
                if (carried < 1 - Plan.ROUNDING && carried <= quick.carried() * (1 + Plan.ROUNDING)) {
                    final double latency = quick.latency(plan.instance().underlay(), layered);
                    assertEquals(latency, plan.latency(chain.name()), 1e-9 * latency, "seed " + seed + ", " + chain);
                    shortChains++;
                }
            }
        }
        assertTrue(shortChains > 0, "nobody was short");
    }

    @Test
    @Tag("slow")
    void whoAsksIsToldWhatWouldBecomeOfTheChain() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var plan = filled(RandomProblems.of(seed));
            for (final var chain : plan.problem().chains()) {
                final var larger = times(chain, 10 * MILLION);
                final var figures = plan.figures();
                final var routes = routes(plan);
                checkAnswer(label, plan.copy().change(larger, false), plan.ask(larger, false));
                checkAnswer(label, plan.copy().change(larger, true), plan.ask(larger, true));
                final var another = named("another", larger);
                checkAnswer(label, plan.copy().add(another, false), plan.ask(another, false));
                assertEquals(figures, plan.figures(), label);
                assertEquals(routes, routes(plan), label);
            }
        }
    }

    @Test
    void oversubscriptionCarriesAllAndNamesWhatIsOverfull() {
        final var problem = RandomProblems.of(1);
        final var chain = times(problem.chains().get(0), 50 * MILLION);
        final var plan = new Plan(problem, Set.of());
        final var refused = assertInstanceOf(Refused.class, plan.add(chain, false));

        assertEquals(new Oversubscribed(refused.bottleneck(), refused.fits()), plan.add(chain, true));
        assertEquals(1, plan.split(chain.name()).carried(), 1e-6);
        assertTrue(plan.figures().fullest() > MILLION);
        plan.remove(chain.name());
        assertEquals(0, plan.figures().fullest());
    }

    /** A chain of 9e18 bit/s on a link of 10 Mbit/s, and others that come before, go and come while it is there. */
    @Test
    void whatIsLeftOfAHugeChainIsNothing() {
        final var link = new Link(0, 1, new Bandwidth(10_000_000), Bandwidth.ZERO, (int) MILLION, 5, 1);
        final var plan = new Plan(new Problem(new Network(List.of("a", "b"), List.of(link)), List.of(), List.of(),
            List.of()), Set.of());
        plan.add(direct("before", 1_234_567), false);
        plan.add(direct("leaves", 2_345_678), false);
        plan.add(direct("huge", 9_000_000_000_000_000_000L), true);
        plan.add(direct("meanwhile", 123), true);
        plan.remove("leaves");
        plan.change(direct("huge", 8_999_999_999_999_999_999L), true);
        plan.remove("huge");

        assertEquals((1_234_567 + 123) / 1e7, plan.routing().use()[0], 1e-12);
        assertEquals(new Refused("link a -> b", new Bandwidth(10_000_000 - 1_234_690)),
            plan.ask(direct("new", 9_000_000), false));
    }

    /** The VNF makes all of the traffic, of which a link of 500 bit/s leads away. */
    @Test
    void aChainThatBeginsWithNothingIsWorthItsLargestStage() {
        final var link = new Link(0, 1, new Bandwidth(500), Bandwidth.ZERO, (int) MILLION, 5, 1);
        final var source = new Vnf("source", 0, List.of(new Deployment(0, 9)));
        final var chain = new Chain("c", List.of(0), List.of(1), List.of(0), List.of(
            new Stage(Bandwidth.ZERO, Bandwidth.ZERO), new Stage(new Bandwidth(1_000), Bandwidth.ZERO)));
        final var plan = new Plan(new Problem(new Network(List.of("a", "b"), List.of(link)),
            List.of(new Site(0, 9)), List.of(source), List.of()), Set.of());

        assertEquals(new Refused("link a -> b", new Bandwidth(500)), plan.ask(chain, false));
        plan.squeeze(chain, false);
        assertEquals(new Bandwidth(500), plan.carried("c"));
        assertEquals(new Bandwidth(1_000), plan.figures().demand());
        assertEquals(new Bandwidth(500), plan.figures().carried());
    }

    private static Chain direct(final String name, final long bps) {
        return new Chain(name, List.of(0), List.of(1), List.of(),
            List.of(new Stage(new Bandwidth(bps), Bandwidth.ZERO)));
    }

    @Test
    void aChainWithoutAnyRouteIsUnreachable() {
        final var problem = RandomProblems.of(3);
        final var chain = problem.chains().stream().filter(each -> !each.vnfs().isEmpty()).findFirst().orElseThrow();
        final var nowhere = new Plan(new Problem(problem.network(), problem.sites(), problem.vnfs().stream()
            .map(vnf -> new Vnf(vnf.name(), vnf.cyclesPerKilobyte(), List.of())).toList(), List.of()), Set.of());

        assertEquals(new Unreachable(), nowhere.add(chain, true));
        assertThrows(IllegalArgumentException.class, () -> nowhere.remove(chain.name()));
    }

    @Test
    void aRefusedChangeLeavesTheChainAsItWas() {
        final var problem = RandomProblems.of(1);
        final var chain = problem.chains().get(0);
        final var plan = new Plan(problem, Set.of());
        plan.add(chain, false);
        final var figures = plan.figures();
        final var routes = routes(plan, chain.name());

        assertInstanceOf(Refused.class, plan.change(times(chain, 100 * MILLION), false));
        assertEquals(figures, plan.figures());
        assertEquals(routes, routes(plan, chain.name()));
        assertThrows(IllegalArgumentException.class, () -> plan.add(chain, false));
    }

    @Test
    void anInvalidChangeChangesNothing() {
        final var plan = filled(RandomProblems.of(1));
        final var chain = plan.problem().chains().get(0);
        final var figures = plan.figures();
        final var routes = routes(plan);
        final int nodes = plan.problem().network().nodes().size();
        final var invalid = new Chain(chain.name(), List.of(nodes), chain.egresses(), chain.vnfs(), chain.stages());

        assertThrows(IllegalArgumentException.class, () -> plan.change(invalid, false));
        assertEquals(figures, plan.figures());
        assertEquals(routes, routes(plan));
    }

    @Test
    void aCopyGoesItsOwnWay() {
        final var problem = RandomProblems.of(1);
        final var plan = filled(problem);
        final var figures = plan.figures();
        final var copy = plan.copy();
        assertEquals(figures, copy.figures());
        copy.remove(copy.problem().chains().get(0).name());

        assertFalse(figures.equals(copy.figures()));
        assertEquals(figures, plan.figures());
    }

    static Plan filled(final Problem problem) {
        final var plan = new Plan(problem, Set.of());
        problem.chains().forEach(chain -> plan.add(chain, false));
        return plan;
    }

    static Chain times(final Chain chain, final long ppm) {
        return new Chain(chain.name(), chain.ingresses(), chain.egresses(), chain.vnfs(), chain.stages().stream()
            .map(stage -> new Stage(times(stage.forward(), ppm), times(stage.reverse(), ppm))).toList());
    }

    /** Of several resources that are equally full, rounding chooses. */
    private static void checkAnswer(final String label, final Admission expected, final Admission actual) {
        assertEquals(expected.getClass(), actual.getClass(), label);
        if (expected instanceof Refused one && actual instanceof Refused other) {
            assertEquals(one.fits().bitsPerSecond(), other.fits().bitsPerSecond(), 1, label);
        }
    }

    private static Chain named(final String name, final Chain chain) {
        return new Chain(name, chain.ingresses(), chain.egresses(), chain.vnfs(), chain.stages());
    }

    private static Bandwidth times(final Bandwidth rate, final long ppm) {
        return new Bandwidth(Math.round(rate.bitsPerSecond() / 1e6 * ppm));
    }

    static Map<String, String> routes(final Plan plan) {
        return plan.problem().chains().stream().map(Chain::name)
            .collect(Collectors.toMap(name -> name, name -> routes(plan, name)));
    }

    private static String routes(final Plan plan, final String name) {
        final var split = plan.split(name);
        final var text = new StringBuilder();
        for (int index = 0; index < split.size(); index++) {
            text.append(Arrays.toString(split.routeCopy(index))).append(split.fraction(index));
        }
        return text.toString();
    }

    /** All but the one that was asked for are as they were, and nothing is overfull. */
    private static void checkOthers(final String label, final Plan plan, final Map<String, String> before,
            final String name) {
        final var now = routes(plan);
        assertTrue(plan.figures().fullest() <= MILLION + 1, label);
        before.remove(name);
        final var others = new HashMap<>(now);
        others.remove(name);
        assertEquals(before, others, label);
        before.putAll(now);
    }
}

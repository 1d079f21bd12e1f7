// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Scheme;
import io.sluice.planner.dp.SequentialRouting;
import io.sluice.planner.dp.Tuning;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.format.TopologyFile;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.workload.BackboneModel;
import io.sluice.planner.workload.PaperWorkload;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GuideTest {
    private static final int HELD_OUT = 10;
    private static final double LOAD = 0.8;
    /** Below it all use costs alike. */
    private static final double SLACK = 0.3;

    /** Every tenth chain arrives after the program was solved, when the others are in place. */
    @Test
    void chainsThatTheProgramDidNotKnowFitBetterAtItsPrices() throws Exception {
        final var all = paper();
        final var early = Instance.of(all.withChains(IntStream.range(0, all.chains().size())
            .filter(chain -> chain % HELD_OUT > 0).mapToObj(all.chains()::get).toList()));
        final var plain = new KeptPlan();
        final var guided = new KeptPlan();
        guided.guideBy(Guide.learnt(early, routed(early, Objective.LATENCY), Guide.HEADROOM, Limits.standard()));

        final var alone = figures(plain, early.problem(), all);
        final var priced = figures(guided, early.problem(), all);
        assertTrue(priced.carried().bitsPerSecond() > 1.002 * alone.carried().bitsPerSecond()
            && priced.delayUs() < 0.95 * alone.delayUs(), priced + " with prices, without " + alone);
    }

    @Test
    void pricesFollowCapacitiesAndLeaveWhatMeansSomethingElse() {
        int scarce = 0;
        for (long seed = 0; seed < 20; seed++) {
            final var problem = loaded(RandomProblems.of(seed));
            final var instance = Instance.of(problem);
            final var routed = routed(instance, Objective.LATENCY);
            final var guide = Guide.of(instance, routed);
            final var doubled = withLinks(problem, problem.network().nodes(), 2);
            final var larger = withLinks(problem, Stream.concat(problem.network().nodes().stream(), Stream.of("new"))
                .toList(), 1);
            for (int row = 0; row < instance.links(); row++) {
                final double price = routed.prices()[row];
                assertEquals(price, price(problem, guide, row), 1e-5 * price + 1e-6, "seed " + seed);
                assertEquals(2 * price, price(doubled, guide, row), 1e-5 * price + 1e-6, "seed " + seed);
                assertEquals(0, price(larger, guide, row), 1e-6, "seed " + seed);
                scarce += price > 0 ? 1 : 0;
            }
        }
        assertTrue(scarce > 0, "no link was ever scarce");
    }

    @Test
    void pricesOfAnotherObjectiveAreRefused() {
        final var instance = Instance.of(RandomProblems.of(1));
        final var routed = routed(instance, Objective.SCALE);
        assertThrows(IllegalArgumentException.class, () -> Guide.of(instance, routed));
        assertFalse(Guide.isWorthLearning(routed));
    }

    @Test
    void routesFarFromTheOptimumTeachNothing() {
        assertTrue(Guide.isWorthLearning(new Routed(Objective.LATENCY, 1.01, 1, 0.01, List.of(), new double[0], 0)));
        assertFalse(Guide.isWorthLearning(new Routed(Objective.LATENCY, 2, 1, 0.5, List.of(), new double[0], 0)));
    }

    /** More of it is carried at prices for a little more, and nearly as fast as can be. */
    @Test
    void whatIsNearlyFullHasAPriceToo() throws Exception {
        final var problem = paper();
        final var instance = Instance.of(problem);
        final var routed = routed(instance, Objective.LATENCY);
        final var alone = guided(Guide.of(instance, routed), problem);
        final var better = guided(Guide.learnt(instance, routed, 0, Limits.standard()), problem);

        assertTrue(better.carried().compareTo(alone.carried()) > 0, better + ", not " + alone);
        assertTrue(better.latency() < 1.05 * routed.value(), better + " over " + routed.value());
    }

    /** What is asked of it can't be carried with more traffic. */
    @Test
    @Tag("slow")
    void whereThereIsNoHeadroomPricesAreThoseOfTheTrafficItself() throws Exception {
        final var problem = paper();
        final var instance = Instance.of(problem);
        final var routed = routed(instance, Objective.LATENCY);
        final var guide = Guide.learnt(instance, routed, 1, Limits.standard());

        final var utilisation = IntStream.range(0, instance.links()).mapToDouble(row ->
            (price(problem, guide, row) - routed.prices()[row]) / instance.capacity(row)).toArray();
        for (int row = 1; row < utilisation.length; row++) {
            assertEquals(utilisation[0], utilisation[row], 1e-6, "what is left is utilisation alone, at row " + row);
        }
        assertTrue(IntStream.range(0, instance.links()).anyMatch(row -> routed.prices()[row] > 0), "nothing is scarce");
    }

    /** The kept plan at half load is no worse than with any weight that is tried, and better than with the first. */
    @Test
    void theKeptPlanTunesItselfToItsChains() throws Exception {
        final var problem = new Change.Traffic(625_000).applyTo(paper());
        final var tuned = new KeptPlan().follow(new Order(problem), () -> false).orElseThrow().figures();
        final var instance = Instance.of(problem);
        final var latencies = Tuning.KAPPAS.stream().map(kappa -> new SequentialRouting(instance, Scheme.SB_DP,
            Weights.of(instance, kappa)).routeAll()).mapToDouble(result -> result.isComplete() ? result.latency()
                : Double.POSITIVE_INFINITY).toArray();
        assertEquals(tuned.demand(), tuned.carried());
        for (int place = 0; place < latencies.length; place++) {
            assertTrue(tuned.latency() <= latencies[place] * (1 + 1e-9), tuned + ", not " + Tuning.KAPPAS.get(place));
        }
        assertTrue(tuned.latency() < 0.999 * latencies[0], tuned + ", and untuned " + latencies[0]);
    }

    /** What is nearly unused is worth the same then as if all had been planned at the new load. */
    @Test
    void theKeptPlanTunesItselfAgainWhenTrafficHasChanged() throws Exception {
        final var heavy = paper();
        final var light = new Change.Traffic(100_000).applyTo(heavy);
        final var fresh = new KeptPlan().follow(new Order(heavy), () -> false).orElseThrow().routing();
        final var kept = new KeptPlan();
        final var before = kept.follow(new Order(light), () -> false).orElseThrow().routing();
        final var after = kept.follow(new Order(heavy), () -> false).orElseThrow().routing();
        final var unused = IntStream.range(0, fresh.use().length)
            .filter(row -> fresh.use()[row] < SLACK && before.use()[row] < SLACK && after.use()[row] < SLACK)
            .boxed().toList();

        assertTrue(unused.stream().anyMatch(row -> before.worth(row) != fresh.worth(row)), "both loads tune alike");
        unused.forEach(row -> assertEquals(fresh.worth(row), after.worth(row), "row " + row));
    }

    private static Problem paper() throws Exception {
        return loaded(PaperWorkload.of(1_000, 25, 1).on(TopologyFile.read(
            Path.of("..", "..", "bench", "data", "topohub", "AttMpls.json")), BackboneModel.standard()));
    }

    /** What the guide adds to the worth of a row of an empty plan. */
    private static double price(final Problem problem, final Guide guide, final int row) {
        return new Plan(problem, Set.of(), guide).routing().worth(row)
            - new Plan(problem, Set.of()).routing().worth(row);
    }

    private static Problem withLinks(final Problem problem, final List<String> nodes, final int factor) {
        return new Problem(new Network(nodes, problem.network().links().stream().map(link -> new Link(link.name(),
            link.from(), link.to(), times(link.bandwidth(), factor), times(link.background(), factor),
            link.utilisationLimitPpm(), link.delayUs(), link.weight())).toList()), problem.sites(), problem.vnfs(),
            problem.chains());
    }

    private static Bandwidth times(final Bandwidth rate, final int factor) {
        return new Bandwidth(rate.bitsPerSecond() * factor);
    }

    private static Figures guided(final Guide guide, final Problem problem) {
        final var kept = new KeptPlan();
        kept.guideBy(guide);
        return kept.follow(new Order(problem), () -> false).orElseThrow().figures();
    }

    private static Figures figures(final KeptPlan kept, final Problem early, final Problem all) {
        kept.follow(new Order(early), () -> false);
        return kept.follow(new Order(all), () -> false).orElseThrow().figures();
    }

    private static Problem loaded(final Problem problem) {
        return new Change.Traffic(Math.round(routed(Instance.of(problem), Objective.SCALE).value() * LOAD * 1e6))
            .applyTo(problem);
    }

    private static Routed routed(final Instance instance, final Objective objective) {
        return (Routed) ChainRouting.solve(instance, objective, Limits.standard());
    }
}

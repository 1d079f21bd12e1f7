// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.dp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;
import io.sluice.planner.format.TopologyFile;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import io.sluice.planner.workload.BackboneModel;
import io.sluice.planner.workload.PaperWorkload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SequentialRoutingTest {
    private static final double TOLERANCE = 1e-6;
    private static final double KAPPA = 0.01;

    @ParameterizedTest
    @EnumSource
    void equalQuestionsHaveEqualAnswers(final Scheme scheme) {
        for (long seed = 0; seed < RandomProblems.number(200); seed++) {
            assertEquals(useOfAll(seed, scheme), useOfAll(seed, scheme), "seed " + seed);
        }
    }

    private static List<Double> useOfAll(final long seed, final Scheme scheme) {
        final var instance = Instance.of(RandomProblems.of(seed)).scaledBy(3);
        final var routing = new SequentialRouting(instance, scheme, Weights.of(instance, KAPPA));
        for (int chain = 0; chain < instance.chainCount(); chain++) {
            routing.route(instance.chain(chain));
        }
        return Arrays.stream(routing.use()).boxed().toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"SB_DP", "ONEHOP", "DP_LATENCY"})
    void neverOverloadsAnything(final Scheme scheme) {
        for (long seed = 0; seed < RandomProblems.number(200); seed++) {
            final var instance = Instance.of(RandomProblems.of(seed)).scaledBy(3);
            final var routing = new SequentialRouting(instance, scheme, Weights.of(instance, KAPPA));
            final var shares = new Shares(instance);
            for (int chain = 0; chain < instance.chainCount(); chain++) {
                final var split = routing.route(instance.chain(chain));
                assertTrue(split.carried() <= 1 + TOLERANCE, "seed " + seed);
                split.addTo(shares, instance.chain(chain));
            }
            for (int i = 0; i < shares.size(); i++) {
                assertTrue(shares.get(shares.row(i)) <= 1 + TOLERANCE, "seed " + seed);
            }
        }
    }

    /** What comes later must have something to be weighed against. */
    @Test
    void withoutChainsUnitsAreThoseOfTheNetwork() {
        final var bare = Instance.of(RandomProblems.of(1).withChains(List.of()));
        final var units = Weights.Units.of(bare);
        assertEquals(Weights.Units.idle(bare), units);
        assertTrue(units.delayUs() > 0 && units.bitsPerCycle() > 0, units::toString);
    }

    @Test
    void whatAChainTookIsFreeAgainAfterItsRelease() {
        for (long seed = 0; seed < RandomProblems.number(50); seed++) {
            final var instance = Instance.of(RandomProblems.of(seed)).scaledBy(3);
            final var routing = new SequentialRouting(instance, Scheme.SB_DP, Weights.of(instance, KAPPA));
            final var chain = instance.chain(0);
            final double first = routing.route(chain).carried();
            final var second = routing.route(chain);
            routing.release(chain, second);
            assertEquals(second.carried(), routing.route(chain).carried(), TOLERANCE, "seed " + seed);
            assertTrue(first >= second.carried() - TOLERANCE, "seed " + seed);
        }
    }

    @Test
    void furtherPassesCarryWhatTheFirstLeftBehind() throws Exception {
        final var unscaled = Instance.of(workload(300));
        final double best = ((Routed) ChainRouting.solve(unscaled, Objective.SCALE, Limits.standard())).value();
        final var instance = unscaled.scaledBy(0.9 * best);
        final var weights = Weights.of(instance, 3);
        final double once = new SequentialRouting(instance, Scheme.SB_DP, weights).routeAll().carried();
        final double thrice = new SequentialRouting(instance, Scheme.SB_DP, weights).routeAll(3).carried();

        assertTrue(thrice > once, once + " after one pass, " + thrice + " after three");
    }

    /** A row that is full, or nearly so by rounding, has one price. */
    @Test
    void theLastBitOfAUseIsWorthNothing() {
        final var instance = Instance.of(RandomProblems.of(1));
        final var chain = instance.chain(0);
        final var route = new int[chain.layers()];
        final var shares = new Shares(instance);
        shares.add(chain, route, 1);
        for (int i = 0; i < shares.size(); i++) {
            final int row = shares.row(i);
            final double whole = 1 / shares.get(row);
            for (final double use : new double[] {1.0 / 3, 0.9, 1}) {
                assertEquals(worth(instance, row, route, whole * use * (1 + 1e-12)),
                    worth(instance, row, route, whole * use * (1 - 1e-12)), "row " + row + " at " + use);
            }
            assertTrue(worth(instance, row, route, whole) > worth(instance, row, route, 0.99 * whole));
        }
    }

    /** Worth of a row where so many times the first chain is on a route. */
    private static double worth(final Instance instance, final int row, final int[] route, final double times) {
        final var routing = new SequentialRouting(instance, Scheme.SB_DP, Weights.of(instance, KAPPA));
        final var split = new Split();
        split.setFraction(split.indexOf(route, route.length), times);
        routing.take(instance.chain(0), split);
        return routing.worth(row);
    }

    /** Of three ways the short ones are avoided; the third takes a thousand times as long, until it is full. */
    @Test
    void whatIsAvoidedIsTakenOnlyWhereThereIsNoOtherWay() {
        final var sites = IntStream.range(0, 3).mapToObj(site -> new Site(site + 1, 1_000_000)).toList();
        final var links = IntStream.range(0, 3).boxed().flatMap(site -> Stream.of(
            link(0, site + 1, List.of(20L, 10L, 20_000L).get(site)), link(site + 1, 0, 5))).toList();
        final var nat = new Vnf("nat", 1, IntStream.range(0, 3)
            .mapToObj(site -> new Deployment(site, 1_000_000)).toList());
        final var stage = new Stage(new Bandwidth(800), Bandwidth.ZERO);
        final var chain = new Chain("c", List.of(0), List.of(0), List.of(0), List.of(stage, stage));
        final var instance = Instance.of(new Problem(new Network(List.of("a", "b", "c", "d"), links), sites,
            List.of(nat), List.of(chain)));
        for (final double kappa : Stream.concat(Stream.of(0.0), Tuning.KAPPAS.stream()).toList()) {
            final var label = "kappa " + kappa;
            final var routing = new SequentialRouting(instance, Scheme.SB_DP,
                Weights.of(instance, kappa).avoiding(Set.of(0, 2)));
            final var far = routing.route(instance.chain(0));
            assertEquals(1, far.fraction(far.indexOf(new int[] {0, 2, 0}, 3)), TOLERANCE, label);
            final var rest = routing.route(instance.chain(0));
            assertEquals(0.25, rest.fraction(rest.indexOf(new int[] {0, 2, 0}, 3)), TOLERANCE, label);
            assertEquals(0.75, rest.fraction(rest.indexOf(new int[] {0, 1, 0}, 3)), TOLERANCE, label + ", the nearer");
        }
    }

    private static Link link(final int from, final int to, final long delayUs) {
        return new Link(from, to, new Bandwidth(1_000), Bandwidth.ZERO, 1_000_000, delayUs, 1);
    }

    /** Without weights, and with room for all, it is least latency. */
    @Test
    void idleNetworksAreRoutedByDelay() {
        for (long seed = 0; seed < RandomProblems.number(50); seed++) {
            final var instance = Instance.of(RandomProblems.of(seed)).scaledBy(0.01);
            final var least = (Routed) ChainRouting.solve(instance, Objective.LATENCY, Limits.standard());
            final var result = new SequentialRouting(instance, Scheme.SB_DP, Weights.of(instance, 0)).routeAll();
            assertTrue(result.isComplete(), "seed " + seed);
            assertEquals(least.value(), result.latency(), TOLERANCE * least.value(), "seed " + seed);
        }
    }

    @Test
    void aChainWithoutARouteIsNothingToOthers() {
        for (long seed = 0; seed < RandomProblems.number(50); seed++) {
            final var problem = RandomProblems.of(seed);
            final var vnfs = new ArrayList<>(problem.vnfs());
            vnfs.add(new Vnf("nowhere", 1, List.of()));
            final var first = problem.chains().get(0);
            final var chains = new ArrayList<>(problem.chains());
            chains.add(new Chain("lost", first.ingresses(), first.egresses(), List.of(vnfs.size() - 1),
                List.of(first.stages().get(0), first.stages().get(0))));
            final var instance = Instance.of(new Problem(problem.network(), problem.sites(), vnfs, chains));
            final var routing = new SequentialRouting(instance, Scheme.SB_DP, Weights.of(instance, KAPPA));
            final var alone = Instance.of(problem);
            final var others = new SequentialRouting(alone, Scheme.SB_DP, Weights.of(alone, KAPPA));
            for (int chain = 0; chain < alone.chainCount(); chain++) {
                assertTrue(others.route(alone.chain(chain)).isLike(routing.route(instance.chain(chain))),
                    "seed " + seed + ", chain " + chain);
            }
            assertEquals(0, routing.route(instance.chain(alone.chainCount())).carried(), "seed " + seed);
        }
    }

    @Test
    void anycastTakesTheNearestWhateverTheLoad() {
        final var instance = Instance.of(RandomProblems.of(9));
        final var anycast = new SequentialRouting(instance.scaledBy(1_000), Scheme.ANYCAST, Weights.of(instance, 0))
            .routeAll();
        final var idle = new SequentialRouting(instance, Scheme.ANYCAST, Weights.of(instance, 0)).routeAll();

        assertEquals(1, anycast.carried());
        assertEquals(idle.fullest() * 1_000, anycast.fullest(), TOLERANCE * anycast.fullest());
    }

    @Test
    void computeAwareLeavesFullSites() {
        final var instance = Instance.of(RandomProblems.of(9)).scaledBy(50);
        final var unaware = new SequentialRouting(instance, Scheme.ANYCAST, Weights.of(instance, 0)).routeAll();
        final var aware = new SequentialRouting(instance, Scheme.COMPUTE_AWARE, Weights.of(instance, 0)).routeAll();

        assertTrue(aware.fullest() < unaware.fullest());
        assertTrue(aware.carried() < 1);
    }

    /** On a real topology the order of the paper's figures 12 and 13 shows. */
    @Test
    void schemesRankAsInThePaper() throws Exception {
        final var instance = Instance.of(workload(300));
        final double best = ((Routed) ChainRouting.solve(instance, Objective.SCALE, Limits.standard())).value();
        final var weights = Weights.of(instance, 0.3);
        final double dp = Tuning.scale(instance, Scheme.SB_DP, weights, best);
        final double oneHop = Tuning.scale(instance, Scheme.ONEHOP, weights, best);
        final double anycast = 1 / new SequentialRouting(instance, Scheme.ANYCAST, weights).routeAll().fullest();

        assertTrue(dp > oneHop && oneHop > anycast, dp + ", " + oneHop + ", " + anycast);
        assertTrue(dp <= best);
    }

    @Test
    void pricesOfTheProgramBringLatencyNearTheOptimum() throws Exception {
        final var unscaled = Instance.of(workload(1_000));
        final double best = ((Routed) ChainRouting.solve(unscaled, Objective.SCALE, Limits.standard())).value();
        final var instance = unscaled.scaledBy(best * 0.8);
        final var least = (Routed) ChainRouting.solve(instance, Objective.LATENCY, Limits.standard());
        final var alone = Tuning.best(instance, Scheme.SB_DP, List.of(Weights.of(instance, 0.001)));
        final var priced = Tuning.best(instance, Scheme.SB_DP,
            List.of(Weights.of(instance, 0.001).plus(least.prices())));

        assertTrue(priced.carried() > alone.carried(), alone + " without prices, with prices " + priced);
        assertTrue(priced.latency() < 1.05 * least.value() * priced.carried(), priced + " over " + least.value());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Tuning.PASSES})
    void tuningTakesTheWeightThatIsBestForTheData(final int passes) throws Exception {
        final var unscaled = Instance.of(workload(300));
        final double best = ((Routed) ChainRouting.solve(unscaled, Objective.SCALE, Limits.standard())).value();
        final var chosen = new TreeSet<Double>();
        for (final double load : new double[] {0.1, 0.5, 0.9}) {
            final var instance = unscaled.scaledBy(best * load);
            final double kappa = Tuning.kappa(instance, trial -> Weights.of(instance, trial), passes, () -> false);
            final var tuned = routed(instance, kappa, passes);
            final double near = Math.pow(10, 0.25);
            final var others = Stream.concat(Tuning.KAPPAS.stream(), Stream.of(kappa * near, kappa / near)).toList();
            for (final double other : others) {
                final var result = routed(instance, other, passes);
                assertTrue(tuned.isComplete() ? !result.isComplete() || tuned.latency() <= result.latency() * (1 + 1e-9)
                    : !result.isComplete() && tuned.carried() >= result.carried(), kappa + " is worse than " + other);
            }
            chosen.add(kappa);
        }
        assertTrue(chosen.size() > 1, "the data made no difference");
        assertEquals(Tuning.KAPPAS.get(0),
            Tuning.kappa(unscaled, trial -> Weights.of(unscaled, trial), passes, () -> true));
    }

    private static SequentialResult routed(final Instance instance, final double kappa, final int passes) {
        return new SequentialRouting(instance, Scheme.SB_DP, Weights.of(instance, kappa)).routeAll(passes);
    }

    private static Problem workload(final int chains) throws Exception {
        final var topology = TopologyFile.read(Path.of("..", "..", "bench", "data", "topohub", "AttMpls.json"));
        return PaperWorkload.of(chains, 50, 1).on(topology, BackboneModel.standard());
    }
}

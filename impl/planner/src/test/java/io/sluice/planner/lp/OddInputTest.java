// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.format.TopologyFile;
import io.sluice.planner.lp.RoutingAnswer.Overloaded;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.lp.RoutingAnswer.Unroutable;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Stage;
import io.sluice.planner.workload.BackboneModel;
import io.sluice.planner.workload.PaperWorkload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Networks in pieces, chains without traffic or with far too much of it, and a network of the size that there is. */
class OddInputTest {
    private static final int PROBLEMS = RandomProblems.number(40);
    private static final double TOLERANCE = 1e-6;
    private static final Limits EXACT = new Limits(1e-9, 2, () -> false);

    /** Who begins on an island gets nowhere, and is no trouble to others. */
    @ParameterizedTest
    @EnumSource(Objective.class)
    void chainsFromAnIslandAreNamed(final Objective objective) {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = RandomProblems.of(seed);
            final var nodes = new ArrayList<>(problem.network().nodes());
            nodes.add("island");
            final var first = problem.chains().get(0);
            final var chains = new ArrayList<>(problem.chains());
            chains.add(new Chain("lost", List.of(nodes.size() - 1), first.egresses(), first.vnfs(), first.stages()));
            final var answer = ChainRouting.solve(Instance.of(new Problem(new Network(nodes,
                problem.network().links()), problem.sites(), problem.vnfs(), chains)), objective, EXACT);
            if (objective == Objective.CARRIED) {
                final var routed = assertInstanceOf(Routed.class, answer, label);
                assertEquals(EdgeProgram.optimum(problem, objective).orElseThrow(), routed.value(),
                    TOLERANCE * routed.value(), label);
                assertEquals(0, routed.splits().get(chains.size() - 1).carried(), label);
            } else {
                assertEquals(List.of(chains.size() - 1), assertInstanceOf(Unroutable.class, answer, label).chains(),
                    label);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Objective.class)
    void chainsWithoutTrafficCostNothing(final Objective objective) {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = RandomProblems.of(seed);
            final var silent = with(problem, new Stage(Bandwidth.ZERO, Bandwidth.ZERO));
            final var nothing = assertInstanceOf(Routed.class,
                ChainRouting.solve(Instance.of(silent), objective, EXACT), label);
            assertEquals(objective == Objective.SCALE ? Double.POSITIVE_INFINITY : 0, nothing.value(), label);
            assertEquals(0, nothing.gap(), label);

            final var both = new ArrayList<>(problem.chains());
            both.addAll(silent.chains());
            final var mixed = ChainRouting.solve(Instance.of(problem.withChains(both)), objective, EXACT);
            final var optimum = EdgeProgram.optimum(problem, objective);
            if (optimum.isPresent()) {
                assertEquals(optimum.getAsDouble(), assertInstanceOf(Routed.class, mixed, label).value(),
                    TOLERANCE * optimum.getAsDouble(), label);
            } else {
                assertInstanceOf(Overloaded.class, mixed, label);
            }
        }
    }

    /** The largest rates that there are, on links of some Mbit/s. */
    @Test
    void hugeRatesAreAnswered() {
        final var huge = new Stage(new Bandwidth(Long.MAX_VALUE / 2), new Bandwidth(Long.MAX_VALUE / 2));
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = with(RandomProblems.of(seed), huge);
            final var instance = Instance.of(problem);
            final var scale = assertInstanceOf(Routed.class,
                ChainRouting.solve(instance, Objective.SCALE, EXACT), label);
            assertTrue(scale.gap() <= TOLERANCE, label + ": " + scale.gap());
            check(label, instance, scale, 1 / scale.value());
            final double share = assertInstanceOf(Overloaded.class,
                ChainRouting.solve(instance, Objective.LATENCY, Limits.standard()), label).scale();
            assertEquals(scale.bound(), share, 2e-4 * share, label);
            final var carried = assertInstanceOf(Routed.class,
                ChainRouting.solve(instance, Objective.CARRIED, Limits.standard()), label);
            assertTrue(carried.value() <= carried.bound() * (1 + TOLERANCE), label);
            check(label, instance, carried, 1);
        }
    }

    /** 50 nodes, 40 sites, 1,000 chains: no reference is as fast, but flow and capacities can be checked. */
    @ParameterizedTest
    @EnumSource(Objective.class)
    @Tag("slow")
    void routesOfALargeNetworkKeepToItsCapacities(final Objective objective) throws Exception {
        final var problem = PaperWorkload.of(1_000, 25, 1).on(TopologyFile.read(
            Path.of("..", "..", "bench", "data", "topohub", "germany50.json")), BackboneModel.standard());
        final var unscaled = Instance.of(problem);
        final var most = (Routed) ChainRouting.solve(unscaled, Objective.SCALE, Limits.standard());
        final var instance = unscaled.scaledBy(most.value() * (objective == Objective.CARRIED ? 1.2 : 0.8));
        final var routed = assertInstanceOf(Routed.class, ChainRouting.solve(instance, objective, Limits.standard()));
        assertTrue(routed.gap() <= Limits.standard().gap());
        check("germany50", instance, routed, objective == Objective.SCALE ? 1 / routed.value() : 1);
    }

    private static Problem with(final Problem problem, final Stage stage) {
        return problem.withChains(problem.chains().stream().map(chain -> new Chain("as " + chain.name(),
            chain.ingresses(), chain.egresses(), chain.vnfs(), Collections.nCopies(chain.stages().size(), stage)))
            .toList());
    }

    /** All traffic is accounted for, and no row is filled beyond the limit. */
    private static void check(final String label, final Instance instance, final Routed routed, final double limit) {
        for (final var split : routed.splits()) {
            assertEquals(1, IntStream.range(0, split.size()).mapToDouble(split::fraction).sum(), TOLERANCE, label);
        }
        final double[] use = Shares.ofAll(instance, routed.splits());
        for (int row = 0; row < use.length; row++) {
            assertTrue(use[row] <= limit * (1 + TOLERANCE), label + ": " + instance.rowName(row) + " is used "
                + use[row] + " of " + limit);
        }
    }
}

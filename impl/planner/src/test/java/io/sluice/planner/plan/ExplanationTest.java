// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.LayeredChain;
import io.sluice.planner.core.Prices;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Vnf;
import io.sluice.planner.plan.Admission.Refused;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    @Test
    void sharesAddUpToAllOfTheTraffic() {
        for (long seed = 0; seed < RandomProblems.number(50); seed++) {
            final var plan = PlanTest.filled(RandomProblems.of(seed));
            for (final var chain : plan.problem().chains()) {
                final var explanation = plan.explain(chain.name());
                assertEquals(1_000_000, explanation.routes().stream().mapToLong(Explanation.Route::ppm).sum());
                assertTrue(explanation.routes().stream()
                    .allMatch(route -> route.names().hops().size() == chain.vnfs().size()));
            }
        }
    }

    @Test
    void aChainThatGoesNowhereIsExplainedToo() {
        final var problem = RandomProblems.of(1);
        final var bare = problem.vnfs().stream()
            .map(vnf -> new Vnf(vnf.name(), vnf.cyclesPerKilobyte(), List.of())).toList();
        final var plan = Plan.of(new Problem(problem.network(), problem.sites(), bare, problem.chains()), () -> false);
        for (final var chain : problem.chains()) {
            if (!chain.vnfs().isEmpty()) {
                assertEquals(new Explanation(List.of(), List.of(), Optional.empty()), plan.explain(chain.name()));
            }
        }
    }

    /** Against all routes there are. */
    @Test
    void theRunnerUpIsTheBestOfWhatIsNotUsed() {
        int found = 0;
        for (long seed = 0; seed < RandomProblems.number(50); seed++) {
            final var plan = PlanTest.filled(RandomProblems.of(seed));
            final var prices = plan.routing().worths();
            for (final var placed : plan.all()) {
                final double best = all(placed.layered()).stream().filter(route -> usesSomethingElse(placed, route))
                    .mapToDouble(route -> prices.cost(placed.layered(), route)).filter(Prices::isUsable).min()
                    .orElse(-1.0);
                final double chosen = io.sluice.planner.core.RunnerUp.of(placed.layered(), prices, placed.split())
                    .map(route -> prices.cost(placed.layered(), route)).orElse(-1.0);
                assertEquals(best, chosen, Math.abs(best) * 1e-9, "seed " + seed);
                found += best < 0 ? 0 : 1;
            }
        }
        assertTrue(found > 0);
    }

    @Test
    void whatIsFullOnTheWayIsBinding() {
        final var problem = RandomProblems.of(1);
        final var plan = new Plan(problem, Set.of());
        final var chain = PlanTest.times(problem.chains().get(0), 50_000_000);
        final var refused = (Refused) plan.add(chain, false);
        plan.add(chain, true);
        final var binding = plan.explain(chain.name()).binding();

        assertTrue(binding.stream().anyMatch(row -> row.resource().equals(refused.bottleneck())), binding::toString);
        assertTrue(binding.stream().allMatch(row -> row.ppm() >= 999_999 && row.price() > 0), binding::toString);
    }

    private static boolean usesSomethingElse(final Placed placed, final int[] route) {
        for (int layer = 0; layer < route.length; layer++) {
            boolean isUsed = false;
            for (int index = 0; index < placed.split().size(); index++) {
                isUsed |= placed.split().routeCopy(index)[layer] == route[layer];
            }
            if (!isUsed) {
                return true;
            }
        }
        return false;
    }

    private static List<int[]> all(final LayeredChain chain) {
        var routes = List.of(new int[0]);
        for (int layer = 0; layer < chain.layers(); layer++) {
            final var longer = new ArrayList<int[]>();
            for (final var route : routes) {
                for (int position = 0; position < chain.width(layer); position++) {
                    final var next = Arrays.copyOf(route, layer + 1);
                    next[layer] = position;
                    longer.add(next);
                }
            }
            routes = longer;
        }
        return routes;
    }
}

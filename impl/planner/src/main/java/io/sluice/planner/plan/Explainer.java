// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.NamedRoute;
import io.sluice.planner.core.Prices;
import io.sluice.planner.core.Shares;
import io.sluice.planner.dp.SequentialRouting;
import io.sluice.planner.plan.Explanation.Binding;
import io.sluice.planner.plan.Explanation.Route;
import io.sluice.planner.plan.Explanation.RunnerUp;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Finds the reasons for a chain's routes in the use and the prices of now. */
final class Explainer {
    private static final double FULL = 1 - 1e-6;
    private static final double MILLION = 1e6;

    private final Instance instance;
    private final SequentialRouting routing;
    private final double[] use;
    private final Shares shares;

    Explainer(final Instance instance, final SequentialRouting routing) {
        this.instance = instance;
        this.routing = routing;
        use = routing.use();
        shares = new Shares(instance);
    }

    Explanation explain(final Placed placed) {
        return new Explanation(routes(instance, placed), binding(placed), runnerUp(placed));
    }

    /** The routes of a chain, all of them. */
    static List<Route> routes(final Instance instance, final Placed placed) {
        final var ppm = placed.split().ppm();
        return IntStream.range(0, ppm.length)
            .mapToObj(index -> new Route(NamedRoute.of(instance, placed.layered(), placed.split().routeCopy(index)),
                ppm[index])).toList();
    }

    private List<Binding> binding(final Placed placed) {
        shares.clear();
        for (int index = 0; index < placed.split().size(); index++) {
            placed.split().addTo(shares, placed.layered(), index, 1);
        }
        return Arrays.stream(shares.sortedRows()).filter(row -> use[row] >= FULL)
            .mapToObj(row -> new Binding(instance.rowName(row), Math.round(use[row] * MILLION), routing.worth(row)))
            .toList();
    }

    private Optional<RunnerUp> runnerUp(final Placed placed) {
        final var prices = routing.worths();
        return io.sluice.planner.core.RunnerUp.of(placed.layered(), prices, placed.split())
            .map(route -> runnerUp(placed, prices, route));
    }

    private RunnerUp runnerUp(final Placed placed, final Prices prices, final int[] route) {
        final int largest = placed.split().dominant();
        final double taken = largest < 0 ? 0 : placed.split().cost(prices, placed.layered(), largest);
        final double extra = taken > 0 ? prices.cost(placed.layered(), route) / taken - 1 : 0;
        shares.clear();
        shares.add(placed.layered(), route, 1);
        final var full = Arrays.stream(shares.sortedRows()).filter(row -> use[row] >= FULL).mapToObj(instance::rowName)
            .findFirst();
        return new RunnerUp(NamedRoute.of(instance, placed.layered(), route), Math.round(extra * MILLION), full);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.RandomProblems;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RouteOracleTest {
    private static final double TOLERANCE = 1e-9;

    @Test
    void findsTheCheapestOfAllRoutes() {
        for (long seed = 0; seed < 200; seed++) {
            final var instance = Instance.of(RandomProblems.of(seed));
            final var prices = randomPrices(instance, new Random(seed));
            final var oracle = new RouteOracle();
            for (int number = 0; number < instance.chainCount(); number++) {
                final var chain = instance.chain(number);
                final var route = new int[chain.layers()];
                final double cost = oracle.cheapest(chain, prices, route);
                final double least = cheapest(chain, prices, new int[chain.layers()], 0);
                assertEquals(least, cost, least * TOLERANCE, "seed " + seed);
                assertEquals(least, prices.cost(chain, route), least * TOLERANCE, "seed " + seed);
            }
        }
    }

    /** What a route costs is what it takes of each row times the row's price, and the delay: two ways to one figure. */
    @Test
    void aRouteCostsWhatItTakes() {
        for (long seed = 0; seed < 200; seed++) {
            final var instance = Instance.of(RandomProblems.of(seed));
            final var random = new Random(seed);
            final var ofRow = random.doubles(instance.rows()).toArray();
            final var prices = new Prices(instance);
            prices.set(ofRow, 2);
            final var shares = new Shares(instance);
            for (int number = 0; number < instance.chainCount(); number++) {
                final var chain = instance.chain(number);
                final var route = new int[chain.layers()];
                Arrays.setAll(route, layer -> random.nextInt(chain.width(layer)));
                shares.clear();
                shares.add(chain, route, 1);
                final double taken = Arrays.stream(shares.sortedRows()).mapToDouble(row -> shares.get(row) * ofRow[row])
                    .sum();
                final double cost = taken + 2 * chain.latency(instance.underlay(), route);
                assertEquals(cost, prices.cost(chain, route), cost * TOLERANCE, "seed " + seed);
            }
        }
    }

    @Test
    void changingOneRowIsSettingAllAnew() {
        final var instance = Instance.of(RandomProblems.of(7));
        final var ofRow = new Random(7).doubles(instance.rows()).toArray();
        final var changed = new Prices(instance);
        changed.set(ofRow, 1);
        final var route = new int[instance.chain(0).layers()];
        for (int row = 0; row < instance.rows(); row++) {
            ofRow[row] *= 3;
            changed.change(row, ofRow[row]);
            final var set = new Prices(instance);
            set.set(ofRow, 1);
            assertEquals(set.cost(instance.chain(0), route), changed.cost(instance.chain(0), route));
        }
    }

    @Test
    void aForbiddenRowMakesItsRoutesUnusable() {
        final var instance = Instance.of(RandomProblems.of(8));
        final var prices = new Prices(instance);
        prices.set(new double[instance.rows()], 1);
        final var chain = instance.chain(0);
        final var route = new int[chain.layers()];
        new RouteOracle().cheapest(chain, prices, route);
        final var shares = new Shares(instance);
        shares.add(chain, route, 1);
        assertTrue(Prices.isUsable(prices.cost(chain, route)));
        prices.forbid(shares.row(0));
        assertTrue(!Prices.isUsable(prices.cost(chain, route)));
    }

    private static Prices randomPrices(final Instance instance, final Random random) {
        final var prices = new Prices(instance);
        prices.set(random.doubles(instance.rows()).toArray(), random.nextDouble());
        return prices;
    }

    private static double cheapest(final LayeredChain chain, final Prices prices, final int[] route,
            final int layer) {
        if (layer == chain.layers()) {
            return prices.cost(chain, route);
        }
        double least = Double.POSITIVE_INFINITY;
        for (int position = 0; position < chain.width(layer); position++) {
            route[layer] = position;
            least = Math.min(least, cheapest(chain, prices, route, layer + 1));
        }
        return least;
    }
}

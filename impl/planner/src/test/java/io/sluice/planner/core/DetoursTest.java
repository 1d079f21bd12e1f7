// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.planner.RandomProblems;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DetoursTest {
    private static final int PROBLEMS = RandomProblems.number(50);
    /** Nobody pays this, and it is far below what is forbidden. */
    private static final double PROHIBITIVE = 1e20;

    /** A surcharge everywhere else leaves one position of a layer. */
    @Test
    void theCostThroughAPositionIsThatOfTheSearchWithoutTheOthers() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var instance = Instance.of(RandomProblems.of(seed));
            final var prices = new Prices(instance);
            prices.set(new Random(seed).doubles(instance.rows(), 0, 1e6).toArray(), 1);
            for (int number = 0; number < instance.chainCount(); number++) {
                final var chain = instance.chain(number);
                for (int layer = 1; layer < chain.layers() - 1; layer++) {
                    final var through = Detours.through(chain, layer, prices, prices);
                    for (int position = 0; position < through.length; position++) {
                        assertEquals(onlyThrough(chain, prices, layer, position), through[position],
                            1e-9 * through[position], "seed " + seed + ", chain " + number);
                    }
                }
            }
        }
    }

    @Test
    void whatIsForbiddenElsewhereMayBeUsedHere() {
        final var instance = Instance.of(RandomProblems.of(1));
        final var free = new Prices(instance);
        free.set(new double[instance.rows()], 1);
        final var closed = new Prices(instance);
        closed.set(new double[instance.rows()], 1);
        for (int deployment = 0; deployment < instance.deployments(); deployment++) {
            closed.forbid(instance.deploymentRow(deployment));
        }
        for (int number = 0; number < instance.chainCount(); number++) {
            final var chain = instance.chain(number);
            for (int layer = 1; layer < chain.layers() - 1; layer++) {
                final boolean isAlone = chain.layers() == 3;
                assertEquals(isAlone, Arrays.stream(Detours.through(chain, layer, free, closed))
                    .anyMatch(Prices::isUsable));
                assertFalse(Arrays.stream(Detours.through(chain, layer, closed, free)).anyMatch(Prices::isUsable));
            }
        }
    }

    private static double onlyThrough(final LayeredChain chain, final Prices prices, final int layer,
            final int position) {
        final var surcharge = new double[chain.layers()][0];
        surcharge[layer] = new double[chain.width(layer)];
        Arrays.fill(surcharge[layer], PROHIBITIVE);
        surcharge[layer][position] = 0;
        return new RouteOracle().cheapest(chain, prices, surcharge, new int[chain.layers()]);
    }
}

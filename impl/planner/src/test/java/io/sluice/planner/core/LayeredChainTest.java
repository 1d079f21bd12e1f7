// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Stage;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class LayeredChainTest {
    private static final int PROBLEMS = RandomProblems.number(30);
    private static final double BITS_PER_KILOBYTE = 8_000;

    @Test
    void sumsAreThoseOfTheStages() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = RandomProblems.of(seed);
            final var instance = Instance.of(problem);
            for (int number = 0; number < instance.chainCount(); number++) {
                final var stages = problem.chains().get(number).stages();
                final double traffic = stages.stream().mapToDouble(stage -> stage.total().bitsPerSecond()).sum();
                final var chain = instance.chain(number);
                assertEquals(traffic, chain.traffic(), 1e-9 * traffic, label);
                assertEquals(stages.stream().mapToLong(stage -> stage.total().bitsPerSecond()).max().orElseThrow(),
                    chain.demand(), 1e-9 * traffic, label);
                final double load = load(problem, problem.chains().get(number));
                assertEquals(load, chain.totalLoad(), 1e-9 * load, label);
            }
        }
    }

    /** A bit a second in one direction makes latency a delay. */
    @Test
    void theDelayIsThatOfForwardTraffic() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var problem = RandomProblems.of(seed);
            final var instance = Instance.of(problem.withChains(problem.chains().stream().map(chain ->
                new Chain(chain.name(), chain.ingresses(), chain.egresses(), chain.vnfs(), Collections.nCopies(
                    chain.stages().size(), new Stage(new Bandwidth(1), Bandwidth.ZERO)))).toList()));
            for (int number = 0; number < instance.chainCount(); number++) {
                final var chain = instance.chain(number);
                final var route = new int[chain.layers()];
                route[0] = chain.width(0) - 1;
                assertEquals(chain.latency(instance.underlay(), route), chain.delayUs(instance.underlay(), route),
                    1e-9, "seed " + seed);
            }
        }
    }

    private static double load(final Problem problem, final Chain chain) {
        final var bps = chain.stages().stream().mapToDouble(stage -> stage.total().bitsPerSecond()).toArray();
        double load = 0;
        for (int vnf = 0; vnf < chain.vnfs().size(); vnf++) {
            load += problem.vnfs().get(chain.vnfs().get(vnf)).cyclesPerKilobyte() / BITS_PER_KILOBYTE
                * (bps[vnf] + bps[vnf + 1]);
        }
        return load;
    }
}

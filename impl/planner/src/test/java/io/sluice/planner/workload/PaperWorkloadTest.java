// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.format.Topology;
import io.sluice.planner.format.TopologyFile;
import io.sluice.planner.model.Problem;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PaperWorkloadTest {
    private static final int CHAINS = 500;

    private Topology topology;

    @BeforeEach
    void readTopology() throws Exception {
        topology = TopologyFile.read(Path.of("..", "..", "bench", "data", "topohub", "germany50.json"));
    }

    @Test
    void hasThePapersShape() {
        final var problem = problem(25, 1);

        assertEquals(40, problem.sites().size());
        assertEquals(100, problem.vnfs().size());
        assertEquals(CHAINS, problem.chains().size());
        for (final var vnf : problem.vnfs()) {
            assertEquals(10, vnf.deployments().size());
        }
        for (final var chain : problem.chains()) {
            assertTrue(chain.vnfs().size() >= 3 && chain.vnfs().size() <= 5);
            assertEquals(chain.vnfs().stream().sorted(Comparator.naturalOrder()).toList(), chain.vnfs());
            assertNotEquals(chain.ingresses(), chain.egresses());
        }
    }

    @Test
    void chainsHaveFourFifthsOfAllTraffic() {
        final double chains = problem(50, 2).chains().stream()
            .mapToDouble(chain -> chain.stages().get(0).total().bitsPerSecond()).sum();
        assertEquals(0.8 * BackboneModel.standard().totalBps(), chains, 0.001 * chains);
    }

    /** The model sizes links for all of the matrix at half use; a fifth of it is a tenth of each link at most. */
    @Test
    void theBackgroundLeavesRoom() {
        for (final var link : problem(50, 3).network().links()) {
            assertTrue(link.background().bitsPerSecond() <= link.bandwidth().bitsPerSecond() / 10 + 1);
        }
    }

    @Test
    void aSiteIsDividedEquallyAmongItsVnfs() {
        final var problem = problem(25, 4);
        for (int site = 0; site < problem.sites().size(); site++) {
            final int number = site;
            final var shares = problem.vnfs().stream().flatMap(vnf -> vnf.deployments().stream())
                .filter(deployment -> deployment.site() == number).mapToLong(each -> each.cyclesPerSecond()).toArray();
            for (final long share : shares) {
                assertEquals(problem.sites().get(site).cyclesPerSecond() / shares.length, share);
            }
        }
    }

    @Test
    void theSeedDecidesEverything() {
        assertEquals(problem(50, 5), problem(50, 5));
        assertNotEquals(problem(50, 5), problem(50, 6));
    }

    @Test
    void demandsThatAreAllNothingAreNoGravityAndNoTraffic() {
        topology = new Topology(topology.nodes(), topology.arcs(), List.of(new Topology.Demand(0, 1, 0)));
        assertEquals("the topology's 1 demands are all 0; without any there would be a gravity model",
            assertThrows(IllegalArgumentException.class, () -> problem(50, 1)).getMessage());
    }

    @Test
    void numbersOutOfRangeAreNamed() {
        assertEquals("0 chains: not in 1..2147483647", refusal(0, 50));
        assertEquals("-3 chains: not in 1..2147483647", refusal(-3, 50));
        assertEquals("0 percent of coverage: not in 1..100", refusal(1, 0));
        assertEquals("101 percent of coverage: not in 1..100", refusal(1, 101));
    }

    private static String refusal(final int chains, final int coveragePercent) {
        return assertThrows(IllegalArgumentException.class, () -> PaperWorkload.of(chains, coveragePercent, 1))
            .getMessage();
    }

    private Problem problem(final int coveragePercent, final long seed) {
        return PaperWorkload.of(CHAINS, coveragePercent, seed).on(topology, BackboneModel.standard());
    }
}

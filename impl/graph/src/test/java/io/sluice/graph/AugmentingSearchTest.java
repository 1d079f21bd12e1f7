// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AugmentingSearchTest {
    private static final int GRAPHS = 1000;
    private static final int UNITS = 8;
    private static final long UNREACHED = Long.MAX_VALUE;

    @Test
    void reducedCostsStayPositiveAndEachUnitIsCheapest() {
        for (int seed = 0; seed < GRAPHS; seed++) {
            final var random = new Random(seed);
            final int vertices = random.nextInt(2, 40);
            final var graph = RandomGraphs.multigraph(random, vertices, random.nextInt(1, vertices * 4),
                List.of(0, 2, 50, 1000).get(seed % 4));
            for (final var network : List.of(ResidualNetwork.ofLinks(graph), ResidualNetwork.ofNodes(graph))) {
                network.begin(0, vertices - 1, UNITS * vertices * 1000L + 1);
                sendUnits("seed " + seed, network);
            }
        }
    }

    private static void sendUnits(final String where, final ResidualNetwork network) {
        final var search = new AugmentingSearch(network);
        search.begin();
        for (int unit = 0; unit < UNITS; unit++) {
            final long shortest = bellmanFord(network);
            if (shortest == UNREACHED) {
                assertFalse(search.find(), where);
                return;
            }
            assertTrue(search.find(), where);
            assertEquals(shortest, search.cost(), where + ", unit " + unit);
            checkReducedCosts(where + ", unit " + unit, network, search);
            search.push();
            checkReducedCosts(where + ", after unit " + unit, network, search);
        }
    }

    private static void checkReducedCosts(final String where, final ResidualNetwork network,
            final AugmentingSearch search) {
        for (int vertex = 0; vertex < network.vertexCount(); vertex++) {
            for (int half = network.starts[vertex]; half < network.starts[vertex + 1]; half++) {
                assertTrue(search.reducedCost(vertex, half) >= 0, where);
                assertEquals(network.outCosts[half], network.inCosts[network.mates[half]], where);
            }
        }
    }

    private static long bellmanFord(final ResidualNetwork network) {
        final var distances = new long[network.vertexCount()];
        Arrays.fill(distances, UNREACHED);
        distances[network.source()] = 0;
        for (boolean changed = true; changed;) {
            changed = false;
            for (int vertex = 0; vertex < distances.length; vertex++) {
                for (int half = network.starts[vertex]; half < network.starts[vertex + 1]; half++) {
                    if (distances[vertex] != UNREACHED && network.outCosts[half] != ResidualNetwork.NO_CAPACITY
                            && distances[vertex] + network.outCosts[half] < distances[network.heads[half]]) {
                        distances[network.heads[half]] = distances[vertex] + network.outCosts[half];
                        changed = true;
                    }
                }
            }
        }
        return distances[network.target()];
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.multipath;

import io.sluice.graph.Multigraph;
import java.util.random.RandomGenerator;

/**
 * The switches of a fat-tree (Al-Fares, Loukissas, Vahdat, SIGCOMM 2008, section 3) of {@code ports}-port switches:
 * {@code ports} pods of ports/2 edge and ports/2 aggregation switches, and (ports/2)^2 core switches. Vertices are
 * numbered edge switches first, pod by pod, then aggregation, then core.
 *
 * @param ports even, 2 or more
 */
record FatTree(int ports) {
    int edgeSwitches() {
        return ports * half();
    }

    int switches() {
        return 2 * edgeSwitches() + half() * half();
    }

    /** The graph with one cable between neighbours, each of a random cost of 1..{@code maxCost} both ways. */
    Multigraph graph(final RandomGenerator random, final int maxCost) {
        final var graph = Multigraph.builder(switches());
        for (int pod = 0; pod < ports; pod++) {
            for (int i = 0; i < half(); i++) {
                final int aggregation = edgeSwitches() + pod * half() + i;
                for (int j = 0; j < half(); j++) {
                    graph.cable(pod * half() + j, aggregation, random.nextInt(1, maxCost + 1));
                    graph.cable(aggregation, 2 * edgeSwitches() + i * half() + j, random.nextInt(1, maxCost + 1));
                }
            }
        }
        return graph.build();
    }

    private int half() {
        return ports / 2;
    }
}

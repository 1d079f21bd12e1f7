// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.workload;

import io.sluice.planner.model.Network;

/**
 * A network with the traffic that it was built for.
 *
 * @param network no background traffic
 * @param matrix bit/s from each node to each, at from * nodes + to
 */
record Backbone(Network network, double[] matrix) {
    /** What a node sends to all others. */
    double sentBy(final int node) {
        final int nodes = network.nodes().size();
        double sum = 0;
        for (int to = 0; to < nodes; to++) {
            sum += matrix[node * nodes + to];
        }
        return sum;
    }
}

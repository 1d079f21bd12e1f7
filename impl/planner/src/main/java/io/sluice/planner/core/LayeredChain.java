// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import io.sluice.planner.model.Chain;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A chain as a layered graph: layer 0 holds its ingresses, layer z the deployments of its z-th VNF, the last layer its
 * egresses. A <em>route</em> is one position in each layer, as an int array. Immutable; the arrays are read directly by
 * the loops of this package.
 */
public final class LayeredChain {
    /** Node of each position of each layer. */
    final int[][] nodes;
    /** Number of the first deployment of each layer's VNF; those of a VNF are consecutive. Unused at both ends. */
    final int[] firstDeployment;
    /** Bits per second between layers z and z + 1. */
    final double[] forward;
    final double[] reverse;
    /** Cycles per second that the whole chain needs at each layer: l_f times all that is received and sent. */
    final double[] load;
    /** Positions of the widest layer. */
    final int widest;

    LayeredChain(final int[][] nodes, final int[] firstDeployment, final double[] forward, final double[] reverse,
            final double[] cyclesPerBit) {
        this.nodes = nodes;
        this.firstDeployment = firstDeployment;
        this.forward = forward;
        this.reverse = reverse;
        widest = Arrays.stream(nodes).mapToInt(layer -> layer.length).max().orElse(0);
        load = new double[nodes.length];
        for (int layer = 1; layer < nodes.length - 1; layer++) {
            load[layer] = cyclesPerBit[layer]
                * (forward[layer - 1] + reverse[layer - 1] + forward[layer] + reverse[layer]);
        }
    }

    private LayeredChain(final LayeredChain chain, final double factor) {
        nodes = chain.nodes;
        widest = chain.widest;
        firstDeployment = chain.firstDeployment;
        forward = times(chain.forward, factor);
        reverse = times(chain.reverse, factor);
        load = times(chain.load, factor);
    }

    /** The same chain with {@code factor} times the traffic. */
    public LayeredChain scaledBy(final double factor) {
        return new LayeredChain(this, factor);
    }

    /** Number of layers: VNFs and two. */
    public int layers() {
        return nodes.length;
    }

    /** Number of positions in a layer. */
    public int width(final int layer) {
        return nodes[layer].length;
    }

    public int node(final int layer, final int position) {
        return nodes[layer][position];
    }

    /** The deployment at a position of an inner layer. */
    public int deployment(final int layer, final int position) {
        return firstDeployment[layer] + position;
    }

    /** Bits per second of both directions of the largest stage, see {@link Chain#demand}. */
    public double demand() {
        return IntStream.range(0, nodes.length - 1).mapToDouble(stage -> forward[stage] + reverse[stage]).max()
            .orElseThrow();
    }

    /** Bits per second over all stages, both directions. */
    public double traffic() {
        return Arrays.stream(forward).sum() + Arrays.stream(reverse).sum();
    }

    /** Cycles per second over all VNFs. */
    public double totalLoad() {
        return Arrays.stream(load).sum();
    }

    /** Sum of the products of traffic and delay, (3), over a route; bits times microseconds per second. */
    public double latency(final Underlay underlay, final int[] route) {
        double sum = 0;
        for (int layer = 1; layer < nodes.length; layer++) {
            final int from = nodes[layer - 1][route[layer - 1]];
            final int to = nodes[layer][route[layer]];
            sum += carried(forward[layer - 1], underlay.delayUs(from, to))
                + carried(reverse[layer - 1], underlay.delayUs(to, from));
        }
        return sum;
    }

    /** Delay of forward traffic over a route, in microseconds. */
    public double delayUs(final Underlay underlay, final int[] route) {
        double sum = 0;
        for (int layer = 1; layer < nodes.length; layer++) {
            sum += underlay.delayUs(nodes[layer - 1][route[layer - 1]], nodes[layer][route[layer]]);
        }
        return sum;
    }

    /** Whether nothing on a route is closed or out of reach. */
    boolean isOpen(final Instance instance, final int[] route) {
        for (int layer = 1; layer < nodes.length; layer++) {
            if (!isOpen(instance, layer, route[layer - 1], route[layer])) {
                return false;
            }
        }
        return true;
    }

    /** Whether nothing between two layers is closed or out of reach, the deployment at the end of it included. */
    boolean isOpen(final Instance instance, final int layer, final int before, final int position) {
        final int from = nodes[layer - 1][before];
        final int to = nodes[layer][position];
        return (forward[layer - 1] == 0 || instance.isWay(from, to))
            && (reverse[layer - 1] == 0 || instance.isWay(to, from))
            && (layer == nodes.length - 1 || !instance.isShut(deployment(layer, position)));
    }

    private static double[] times(final double[] values, final double factor) {
        return Arrays.stream(values).map(value -> value * factor).toArray();
    }

    /** Nothing may go nowhere. */
    private static double carried(final double traffic, final double delayUs) {
        return traffic == 0 ? 0 : traffic * delayUs;
    }
}

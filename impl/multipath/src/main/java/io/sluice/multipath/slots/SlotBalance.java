// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.slots;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Brings what slots were measured to carry nearer to the weights of their paths: from the fullest path, by load over
 * weight, a slot goes where the fuller of the two paths is least full afterwards, as long as that relieves the fullest
 * by a given part. A slot moves once.
 */
public final class SlotBalance {
    private final double[] rates;
    private final double[] weights;
    private final boolean[] movable;
    private final int[] paths;

    private record Step(int slot, int path, double peak) { }

    private SlotBalance(final double[] rates, final int[] current, final boolean[] movable, final long[] weights) {
        this.rates = rates;
        this.movable = movable.clone();
        this.weights = Arrays.stream(weights).mapToDouble(weight -> Math.max(1, weight)).toArray();
        paths = current.clone();
    }

    /**
     * Returns the path of each slot.
     *
     * @param rates what each slot carries, of any one unit
     * @param current path of each slot, or {@link SlotShares#NONE} for one that is left out
     * @param movable which slots may move
     * @param weights of the paths
     * @param leastGain part by which a step has to relieve the fullest path
     */
    public static int[] corrected(final double[] rates, final int[] current, final boolean[] movable,
            final long[] weights, final double leastGain) {
        final var balance = new SlotBalance(rates, current, movable, weights);
        boolean better = true;
        while (better) {
            better = balance.improve(leastGain);
        }
        return balance.paths;
    }

    private boolean improve(final double leastGain) {
        final double[] heights = new double[weights.length];
        for (int slot = 0; slot < rates.length; slot++) {
            if (paths[slot] != SlotShares.NONE) {
                heights[paths[slot]] += rates[slot] / weights[paths[slot]];
            }
        }
        final int fullest = IntStream.range(0, heights.length).reduce((a, b) -> heights[b] > heights[a] ? b : a)
            .orElse(SlotShares.NONE);
        Step best = null;
        for (int slot = 0; slot < rates.length; slot++) {
            if (paths[slot] == fullest && fullest != SlotShares.NONE && movable[slot] && rates[slot] > 0) {
                for (int path = 0; path < heights.length; path++) {
                    final double peak = Math.max(heights[fullest] - rates[slot] / weights[fullest],
                        heights[path] + rates[slot] / weights[path]);
                    if (path != fullest && (best == null || peak < best.peak)) {
                        best = new Step(slot, path, peak);
                    }
                }
            }
        }
        if (best == null || heights[fullest] <= best.peak * (1 + leastGain)) {
            return false;
        }
        paths[best.slot] = best.path;
        movable[best.slot] = false;
        return true;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Shares a link so that the largest of (offset + share) / slope is smallest: shares are slope times a common level less
 * the offset, kept between bounds, and fill the link. With offsets and lower bounds 0 and no upper bounds the level is
 * capacity / (sum of slopes): the closed form.
 *
 * @param slopes above 0
 * @param offsets at least 0
 * @param lowest share of each, at least 0
 * @param highest share of each, at least the lowest; may be infinite
 */
record Waterline(double[] slopes, double[] offsets, double[] lowest, double[] highest) {
    /** Shares that sum to {@code capacity}: less if all are at their highest, more if all are at their lowest. */
    double[] fill(final double capacity) {
        final double level = level(capacity);
        return IntStream.range(0, slopes.length).mapToDouble(i -> share(i, level)).toArray();
    }

    private double share(final int index, final double level) {
        return Math.min(highest[index], Math.max(lowest[index], slopes[index] * level - offsets[index]));
    }

    private double sum(final double level) {
        return IntStream.range(0, slopes.length).mapToDouble(i -> share(i, level)).sum();
    }

    /** The sum is linear between the levels where a share leaves its lowest or reaches its highest. */
    private double level(final double capacity) {
        final double[] bends = IntStream.range(0, slopes.length).boxed()
            .flatMapToDouble(i -> DoubleStream.of(start(i), end(i)))
            .filter(bend -> bend < Double.POSITIVE_INFINITY).sorted().toArray();
        int below = 0;
        int above = bends.length;
        while (above - below > 1) {
            final int middle = (below + above) >>> 1;
            if (sum(bends[middle]) <= capacity) {
                below = middle;
            } else {
                above = middle;
            }
        }
        final double bend = bends.length > 0 ? bends[below] : 0;
        final double slope = IntStream.range(0, slopes.length).filter(i -> start(i) <= bend && bend < end(i))
            .mapToDouble(i -> slopes[i]).sum();
        return slope > 0 ? bend + Math.max(0, capacity - sum(bend)) / slope : bend;
    }

    /** Level at which a share leaves its lowest. */
    private double start(final int index) {
        return (lowest[index] + offsets[index]) / slopes[index];
    }

    /** Level at which a share reaches its highest. */
    private double end(final int index) {
        return (highest[index] + offsets[index]) / slopes[index];
    }
}

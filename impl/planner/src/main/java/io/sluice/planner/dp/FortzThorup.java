// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.dp;

/**
 * The convex cost of using a resource, piecewise linear in its utilisation (Fortz, Thorup: Internet traffic engineering
 * by optimizing OSPF weights, INFOCOM 2000, section II). A route is charged the slope, that is the cost of one unit
 * more: then the cheapest route is the one that raises the total cost least, and prices change at five points only.
 */
final class FortzThorup {
    private static final double[] UTILISATION = {1.0 / 3, 2.0 / 3, 0.9, 1, 1.1};
    private static final double[] SLOPE = {1, 3, 10, 70, 500, 5000};

    private FortzThorup() {
        // computes, and has no instances
    }

    /** Slope of the cost at a utilisation of 0 or more. */
    static double slope(final double utilisation) {
        int piece = 0;
        while (piece < UTILISATION.length && utilisation >= UTILISATION[piece]) {
            piece++;
        }
        return SLOPE[piece];
    }
}

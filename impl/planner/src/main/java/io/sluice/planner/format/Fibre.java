// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

/** Delay of light in glass: its speed is two thirds of that in vacuum, so a kilometre takes 5 microseconds. */
final class Fibre {
    private static final double US_PER_KM = 5;
    private static final double EARTH_RADIUS_KM = 6_371;

    private Fibre() {
        // computes, and has no instances
    }

    static long delayUs(final double km) {
        return Math.round(km * US_PER_KM);
    }

    /** Great-circle distance of two places in degrees, by the haversine formula. */
    static double distanceKm(final double longitude1, final double latitude1, final double longitude2,
            final double latitude2) {
        final double north = Math.sin(Math.toRadians(latitude2 - latitude1) / 2);
        final double east = Math.sin(Math.toRadians(longitude2 - longitude1) / 2);
        final double square = north * north
            + Math.cos(Math.toRadians(latitude1)) * Math.cos(Math.toRadians(latitude2)) * east * east;
        return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(square)));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FibreTest {
    private static final double QUARTER_KM = Math.PI / 2 * 6_371;

    @Test
    void distancesAreAlongGreatCircles() {
        assertEquals(QUARTER_KM, Fibre.distanceKm(20, 0, 110, 0), 1e-6, "a quarter of the equator");
        assertEquals(QUARTER_KM, Fibre.distanceKm(7, 90, 99, 0), 1e-6, "from the pole to the equator");
        assertEquals(QUARTER_KM * 2 / 3, Fibre.distanceKm(0, 60, 180, 60), 1e-6, "over the pole");
        assertEquals(504, Fibre.distanceKm(13.405, 52.52, 11.575, 48.137), 1, "Berlin to Munich");
        assertEquals(0, Fibre.distanceKm(13, 52, 13, 52));
    }

    @Test
    void aKilometreTakesFiveMicroseconds() {
        assertEquals(2_500, Fibre.delayUs(500));
        assertEquals(3, Fibre.delayUs(0.5));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** When a connection is replaced. */
class PatienceTest {
    private final Patience patience = new Patience();

    /** Returns after how many quarters of a second without a session a connection is given up. */
    private int ticks() {
        int ticks = 1;
        while (!patience.isLost(false)) {
            ticks++;
        }
        return ticks;
    }

    @Test
    void eachConnectionWithoutASessionHasTwiceTheTimeUpToTwentySeconds() {
        assertEquals(20, ticks());
        assertEquals(40, ticks());
        assertEquals(80, ticks());
        assertEquals(80, ticks());
    }

    @Test
    void aSessionOrANewWayBeginsAnew() {
        ticks();
        patience.isLost(true);
        assertEquals(20, ticks());
        patience.isLost(false);
        patience.renew();
        assertEquals(20, ticks());
    }
}

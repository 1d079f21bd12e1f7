// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TotalsTest {
    @Test
    void roundsAddUpWithWhatTheyTook() {
        final var enforced = Totals.NONE.decided(5).enforced(70).changed(3);
        assertEquals(new Totals(1, 0, 3, 5, 70), enforced);
        assertEquals(new Totals(2, 1, 4, 7, 70), enforced.decided(2).andRefused().changed(1));
    }
}

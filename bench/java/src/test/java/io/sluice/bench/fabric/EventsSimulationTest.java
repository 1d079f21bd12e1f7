// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A sample of row EVENTS-SIM, from a seed that differs each time and is printed. */
class EventsSimulationTest {
    private static final int SIMULATIONS = 4;
    private static final int EVENTS = 300;

    @Test
    void afterEachBatchOfEventsAllTalkAndNothingDiffers() {
        final long first = System.nanoTime();
        for (long seed = first; seed < first + SIMULATIONS; seed++) {
            final long current = seed;
            assertEquals(0, EventsSimulation.run(seed, EVENTS), () -> "EventsSimulation " + EVENTS + " " + current);
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AgendaTest {
    private static final int ITEMS = 20;

    /** Beside it an array that is searched. */
    @Test
    void givesWhatIsDueFirstWhateverIsSetAndCancelled() {
        for (long seed = 0; seed < 200; seed++) {
            final var random = new Random(seed);
            final var agenda = new Agenda(ITEMS);
            final var times = new double[ITEMS];
            Arrays.fill(times, Double.POSITIVE_INFINITY);
            for (int step = 0; step < 200; step++) {
                final int item = random.nextInt(ITEMS);
                switch (random.nextInt(5)) {
                    case 0 -> {
                        agenda.cancel(item);
                        times[item] = Double.POSITIVE_INFINITY;
                    }
                    case 1 -> {
                        final int first = first(times);
                        if (times[first] < Double.POSITIVE_INFINITY) {
                            assertEquals(first, agenda.poll(), "seed " + seed + ", step " + step);
                            times[first] = Double.POSITIVE_INFINITY;
                        }
                    }
                    default -> {
                        times[item] = random.nextInt(8) == 0 ? Double.POSITIVE_INFINITY : random.nextInt(10);
                        agenda.set(item, times[item]);
                    }
                }
                assertEquals(times[first(times)], agenda.next(), "seed " + seed + ", step " + step);
            }
            assertEmpties(agenda, times, seed);
            agenda.set(7, 3);
            times[7] = 3;
            assertEmpties(agenda, times, seed);
        }
    }

    private static void assertEmpties(final Agenda agenda, final double[] times, final long seed) {
        while (times[first(times)] < Double.POSITIVE_INFINITY) {
            final int first = first(times);
            assertEquals(first, agenda.poll(), "seed " + seed);
            times[first] = Double.POSITIVE_INFINITY;
        }
        assertEquals(Double.POSITIVE_INFINITY, agenda.next(), "seed " + seed);
    }

    private static int first(final double[] times) {
        return IntStream.range(0, ITEMS).reduce(0, (one, other) -> times[other] < times[one] ? other : one);
    }
}

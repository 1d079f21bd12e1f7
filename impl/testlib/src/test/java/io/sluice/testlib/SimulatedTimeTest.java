// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedTimeTest {
    private final SimulatedTime time = new SimulatedTime();
    private final List<String> ran = new ArrayList<>();

    @Test
    void runsTasksInTheOrderOfTheirTimes() {
        time.after(20, () -> note("late"));
        time.after(10, () -> {
            note("early");
            time.after(5, () -> note("between"));
            time.execute(() -> note("at once"));
        });
        time.after(10, () -> note("early too"));
        time.after(31, () -> note("too late"));
        time.advance(Duration.ofNanos(30));
        assertEquals(List.of("early at 10", "early too at 10", "at once at 10", "between at 15", "late at 20"), ran);
        assertEquals(30, time.getAsLong());
    }

    @Test
    void runsNothingOfThePast() {
        assertThrows(IllegalArgumentException.class, () -> time.after(-1, () -> note("never")));
    }

    private void note(final String what) {
        ran.add(what + " at " + time.getAsLong());
    }
}

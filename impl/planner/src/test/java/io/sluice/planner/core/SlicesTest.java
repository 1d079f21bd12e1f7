// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class SlicesTest {
    @Test
    void eachThingIsDoneOnceByNoMoreThreadsThanAllowed() {
        for (int threads = 1; threads <= 5; threads++) {
            for (final int count : new int[] {0, 1, 4, 7, 1_000}) {
                final var done = new int[count];
                final Set<Thread> used = ConcurrentHashMap.newKeySet();
                final int most = threads;
                Slices.forEach(count, threads, (thread, number) -> {
                    assertTrue(thread >= 0 && thread < most);
                    used.add(Thread.currentThread());
                    done[number]++;
                });
                final var once = new int[count];
                Arrays.fill(once, 1);
                assertArrayEquals(once, done);
                assertTrue(used.size() <= threads, used::toString);
            }
        }
    }

    @Test
    void oneThreadIsTheOneThatAsks() {
        final Set<Thread> used = ConcurrentHashMap.newKeySet();
        Slices.forEach(1_000, 1, (thread, number) -> used.add(Thread.currentThread()));
        assertEquals(Set.of(Thread.currentThread()), used);
    }
}

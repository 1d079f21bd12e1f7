// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.engine.storm.TaskPair;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private static final int HEADER_BYTES = 6;

    private final List<TaskMessage> handedOver = new ArrayList<>();
    private final Arrivals arrivals = new Arrivals(handedOver::addAll);

    private static List<TaskMessage> messages(final int count, final int source, final int destination,
            final int bytes) {
        return Collections.nCopies(count, FramesTest.message(source, destination, bytes - HEADER_BYTES));
    }

    @Test
    void whatWaitsIsWhatCameLast() {
        arrivals.recv(messages(10, 1, 5, 100));
        arrivals.queued(task -> 10);
        arrivals.recv(messages(10, 2, 5, 50));
        assertEquals(Map.of(new TaskPair(1, 5), 300L, new TaskPair(2, 5), 500L), arrivals.queued(task -> 13));
        assertEquals(Map.of(new TaskPair(2, 5), 200L), arrivals.queued(task -> 4));
        assertEquals(Map.of(), arrivals.queued(task -> 0));
        assertEquals(20, handedOver.size());
    }

    @Test
    void aQueueHoldsNoMoreOfOthersThanArrived() {
        arrivals.recv(messages(3, 1, 5, 100));
        assertEquals(Map.of(new TaskPair(1, 5), 300L), arrivals.queued(task -> 1000));
    }

    @Test
    void whatTheSystemSendsIsNoFlow() {
        arrivals.recv(messages(3, TaskPair.SYSTEM, 5, 100));
        assertEquals(Map.of(), arrivals.queued(task -> 3));
    }

    /** Beside a queue that remembers all: right at the ends of steps, and within a step between two readings. */
    @Test
    void queuesAreAsARealOneUpToAStep() {
        final long seed = System.nanoTime();
        final var random = new Random(seed);
        final var queue = new ArrayDeque<Integer>();
        for (int step = 0; step < 300; step++) {
            final int[] came = {random.nextInt(20), random.nextInt(20)};
            for (int source = 0; source < came.length; source++) {
                arrivals.recv(messages(came[source], source, 5, 100));
                for (int each = 0; each < came[source]; each++) {
                    queue.add(source);
                }
            }
            for (int gone = random.nextInt(45); gone > 0 && !queue.isEmpty(); gone--) {
                queue.remove();
            }
            final var real = new HashMap<TaskPair, Long>();
            queue.forEach(source -> real.merge(new TaskPair(source, 5), 100L, Long::sum));
            final var told = arrivals.queued(task -> queue.size());
            for (int source = 0; source < came.length; source++) {
                final var pair = new TaskPair(source, 5);
                assertEquals(real.getOrDefault(pair, 0L), told.getOrDefault(pair, 0L), 20 * 100,
                    "seed " + seed + " step " + step);
            }
        }
    }
}

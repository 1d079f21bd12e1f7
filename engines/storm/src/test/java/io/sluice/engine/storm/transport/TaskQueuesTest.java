// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.Test;

/** Storm's own queue, measured as its workers measure it. */
class TaskQueuesTest {
    private static final int ROOM = 8;

    @Test
    void whatWaitsForATaskIncludesTheOverflow() {
        final var metrics = new StormMetricRegistry();
        final var queues = new TaskQueues(metrics);
        assertEquals(0, queues.applyAsInt(5));
        try (var queue = new JCQueue("receive-queue[5, 5]", "receive-queue", ROOM, 0, 1, new WaitStrategyPark(1),
                "t-1-1", "bolt", List.of(5), 6700, metrics)) {
            for (int each = 0; each < ROOM; each++) {
                assertTrue(queue.tryPublish("tuple"));
            }
            assertFalse(queue.tryPublish("tuple"));
            assertTrue(queue.tryPublishToOverflow("tuple"));
            assertTrue(queue.tryPublishToOverflow("tuple"));
            assertEquals(ROOM + 2, queues.applyAsInt(5));
            assertEquals(0, queues.applyAsInt(6));
        }
    }
}

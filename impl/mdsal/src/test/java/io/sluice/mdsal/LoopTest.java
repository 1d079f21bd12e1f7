// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTest {
    private static final long PATIENCE_S = 10;

    private final Loop loop = new Loop("a-loop");

    @AfterEach
    void end() {
        loop.shutdownNow();
    }

    @Test
    void aPeriodicTaskThatThrowsGoesOn() throws Exception {
        final var runs = new CountDownLatch(3);
        loop.scheduleWithFixedDelay(() -> fail(runs), 0, 1, TimeUnit.MILLISECONDS);

        assertTrue(runs.await(PATIENCE_S, TimeUnit.SECONDS));
    }

    @Test
    void whatComesAfterATaskThatThrowsIsRunByTheNamedThread() throws Exception {
        final var thread = new AtomicReference<String>();
        final var runs = new CountDownLatch(2);
        loop.execute(() -> fail(runs));
        loop.execute(() -> {
            thread.set(Thread.currentThread().getName());
            runs.countDown();
        });

        assertTrue(runs.await(PATIENCE_S, TimeUnit.SECONDS));
        assertEquals("a-loop", thread.get());
    }

    private static void fail(final CountDownLatch runs) {
        runs.countDown();
        throw new IllegalStateException("a bug");
    }
}

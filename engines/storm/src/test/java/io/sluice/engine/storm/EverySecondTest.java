// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EverySecondTest {
    /** What a task does is done on a thread that has a handler, as Storm gives one to its processes. */
    private static List<Throwable> handed(final EverySecond.Task task) throws InterruptedException {
        final var handed = new CopyOnWriteArrayList<Throwable>();
        final var thread = new Thread(() -> EverySecond.attempt("it can't be done", task));
        thread.setUncaughtExceptionHandler((at, thrown) -> handed.add(thrown));
        thread.start();
        thread.join();
        return handed;
    }

    @Test
    void anErrorIsHandedToStormAndAnExceptionIsNot() throws InterruptedException {
        final var error = new OutOfMemoryError("of a test");
        assertEquals(List.of(error), handed(() -> {
            throw error;
        }));
        assertEquals(List.of(), handed(() -> {
            throw new IllegalStateException("of a test");
        }));
    }

    @Test
    void whoIsInterruptedKnowsItAfterwards() throws InterruptedException {
        final var interrupted = new AtomicBoolean();
        final var thread = new Thread(() -> {
            EverySecond.attempt("it can't be done", () -> {
                throw new InterruptedException();
            });
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        thread.start();
        thread.join();
        assertTrue(interrupted.get());
    }

    @Test
    void whatFailsIsDoneAgain() throws InterruptedException {
        final var twice = new CountDownLatch(2);
        final var each = new EverySecond("test", "it can't be done", () -> {
            twice.countDown();
            throw new IllegalStateException("of a test");
        });
        try {
            twice.await();
        } finally {
            each.close();
        }
    }
}

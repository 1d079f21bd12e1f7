// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does something each second, on a daemon thread of its own. An exception is told in the log, and it is done again the
 * next second. An {@link Error} goes to the thread's handler of what is uncaught, by which Storm ends its processes: a
 * scheduler would keep it to itself, and do nothing any more.
 */
public final class EverySecond implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EverySecond.class);
    private static final long PERIOD_MS = 1000;

    private final ScheduledExecutorService thread;

    /** What is done; it is interrupted when that is to end. */
    @FunctionalInterface
    public interface Task {
        /** Does it once. */
        void run() throws InterruptedException;
    }

    /**
     * Begins after a second.
     *
     * @param name of the thread
     * @param failure what the log says if something goes wrong
     * @param task what is done, a second after it was done last
     */
    public EverySecond(final String name, final String failure, final Task task) {
        thread = Executors.newSingleThreadScheduledExecutor(work -> {
            final var made = new Thread(work, name);
            made.setDaemon(true);
            return made;
        });
        thread.scheduleWithFixedDelay(() -> attempt(failure, task), PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** Does it once, on this thread. */
    static void attempt(final String failure, final Task task) {
        try {
            task.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("{}; tried again", failure, e);
        } catch (Error e) {
            handOver(failure, e);
        }
    }

    /** Where memory is missing the log may have none, too. */
    private static void handOver(final String failure, final Error error) {
        final var thread = Thread.currentThread();
        try {
            LOG.error("{}; the error goes to Storm", failure, error);
        } finally {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        }
    }
}

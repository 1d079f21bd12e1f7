// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that owns the state of a module. A task that throws is told of in the log; it ends neither the thread nor,
 * if it is periodic, its own repetition.
 */
public final class Loop extends ScheduledThreadPoolExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    private final String name;

    /**
     * Begins without tasks.
     *
     * @param name of the thread
     */
    public Loop(final String name) {
        super(1, Thread.ofPlatform().name(name).factory());
        this.name = name;
    }

    @Override
    public ScheduledFuture<?> schedule(final Runnable task, final long delay, final TimeUnit unit) {
        return super.schedule(guarded(task), delay, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(final Runnable task, final long initialDelay, final long period,
            final TimeUnit unit) {
        return super.scheduleAtFixedRate(guarded(task), initialDelay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(final Runnable task, final long initialDelay, final long delay,
            final TimeUnit unit) {
        return super.scheduleWithFixedDelay(guarded(task), initialDelay, delay, unit);
    }

    private Runnable guarded(final Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | LinkageError e) {
                LOG.error("a task of {} failed", name, e);
            }
        };
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** An executor whose tasks run, in order, when the test says so, on the test's thread. Any thread may add tasks. */
public final class HandLoop implements Executor {
    private static final long PATIENCE_S = 10;

    private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    @Override
    public void execute(final Runnable task) {
        tasks.add(task);
    }

    /** Forgets the tasks that have not run. */
    public void clear() {
        tasks.clear();
    }

    /** Runs the tasks that are there, and those that they add. */
    public void run() {
        for (var task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /**
     * Runs tasks, also those that are still to come, until the condition holds.
     *
     * @throws AssertionError if no task comes for 10 s while it doesn't
     */
    public void runUntil(final BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            try {
                final var task = tasks.poll(PATIENCE_S, TimeUnit.SECONDS);
                if (task == null) {
                    throw new AssertionError("nothing happens any more");
                }
                task.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }
    }

    /** Runs tasks until the stage completes, then those that are left, and returns what it completed with. */
    public <T> T await(final CompletionStage<T> stage) {
        runUntil(stage.toCompletableFuture()::isDone);
        run();
        return stage.toCompletableFuture().join();
    }
}

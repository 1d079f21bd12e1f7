// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Runs tasks later, on the loop of the part that plans them. */
@FunctionalInterface
public interface Timer {
    /** Runs {@code task} once, after {@code delayNs} nanoseconds, 0 or more. */
    void after(long delayNs, Runnable task);

    /** Returns a timer by the machine's clock, whose tasks run on {@code loop}. */
    static Timer on(final Executor loop) {
        return (delayNs, task) ->
            CompletableFuture.delayedExecutor(delayNs, TimeUnit.NANOSECONDS, loop).execute(task);
    }
}

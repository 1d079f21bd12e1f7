// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/** Runs tasks when the test says so, in the order in which they came. */
final class Pump implements Executor {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(final Runnable task) {
        tasks.add(task);
    }

    /** Runs one task; says whether there was one. */
    boolean step() {
        final var task = tasks.poll();
        if (task != null) {
            task.run();
        }
        return task != null;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.Timer;
import io.sluice.testlib.SimulatedTime;
import java.util.Random;
import java.util.concurrent.Executor;

/** A thread or connection with other things to do: tasks run in their order, each a random time after it came. */
final class BusyLoop implements Executor, Timer {
    private final SimulatedTime time;
    private final Random random;
    private final long leastNs;
    private final long mostNs;
    private long lastNs;

    /** Tasks wait for {@code leastNs} to {@code mostNs} nanoseconds, and for those before them. */
    BusyLoop(final SimulatedTime time, final Random random, final long leastNs, final long mostNs) {
        this.time = time;
        this.random = random;
        this.leastNs = leastNs;
        this.mostNs = mostNs;
    }

    @Override
    public void execute(final Runnable task) {
        final long nowNs = time.getAsLong();
        lastNs = Math.max(lastNs, nowNs + random.nextLong(leastNs, mostNs));
        time.after(lastNs - nowNs, task);
    }

    @Override
    public void after(final long delayNs, final Runnable task) {
        time.after(delayNs, () -> execute(task));
    }
}

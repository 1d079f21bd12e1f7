// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * A loop in simulated time: tasks run in the order of their times, on the thread of the test, and the clock moves from
 * one to the next. Begins at 0 ns and 1970-01-01T00:00:00Z. Not thread-safe.
 */
public final class SimulatedTime implements Executor, LongSupplier, InstantSource {
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long nowNs;
    private long planned;

    /** Tasks of one time run in the order in which they came. */
    private record Task(long timeNs, long number, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(final Task other) {
            return timeNs == other.timeNs ? Long.compare(number, other.number) : Long.compare(timeNs, other.timeNs);
        }
    }

    /** Plans {@code task} for now, behind what is planned for now already. */
    @Override
    public void execute(final Runnable task) {
        after(0, task);
    }

    /** Plans {@code task} for {@code delayNs} nanoseconds, 0 or more, from now. */
    public void after(final long delayNs, final Runnable task) {
        if (delayNs < 0) {
            throw new IllegalArgumentException("time doesn't run backwards: " + delayNs + " ns");
        }
        tasks.add(new Task(nowNs + delayNs, planned++, task));
    }

    /** Returns an executor that runs what it is given after {@code delay}. */
    public Executor delayed(final Duration delay) {
        return task -> after(delay.toNanos(), task);
    }

    /** Runs what is planned for now, and what that plans for now. */
    public void run() {
        advance(Duration.ZERO);
    }

    /** Runs all that is planned within {@code duration}, what these tasks plan included. */
    public void advance(final Duration duration) {
        final long endNs = nowNs + duration.toNanos();
        for (var next = tasks.peek(); next != null && next.timeNs() <= endNs; next = tasks.peek()) {
            tasks.remove();
            nowNs = Math.max(nowNs, next.timeNs());
            next.action().run();
        }
        nowNs = endNs;
    }

    /** Moves the clock on while nothing runs, as when a program is stopped; what was planned for then is late. */
    public void pause(final Duration duration) {
        nowNs += duration.toNanos();
    }

    /** Nanoseconds since the beginning. */
    @Override
    public long getAsLong() {
        return nowNs;
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(nowNs);
    }
}

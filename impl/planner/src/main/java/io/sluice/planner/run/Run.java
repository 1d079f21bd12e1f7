// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.run;

import io.sluice.planner.lp.Limits;
import io.sluice.planner.model.Problem;
import io.sluice.planner.run.Status.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** One optimisation. One thread executes it; any thread may cancel it or ask for its status. */
public final class Run {
    /** Steps that are kept; when there are more, every other one is dropped, the first never. */
    public static final int MAX_PROGRESS = 64;
    /** The time limit unless somebody says otherwise, in seconds. */
    public static final long TIME_LIMIT_S = 600;

    private static final double MS = 1e6;

    private final Task task;
    private final double gap;
    private final long timeLimitMs;
    private final LongSupplier nowNs;
    private final List<Progress> progress = new ArrayList<>();
    private boolean isCancelled;
    private Optional<Long> startNs = Optional.empty();
    private long endMs;
    private Optional<End> end = Optional.empty();

    /**
     * Waits to be executed.
     *
     * @param gap relative gap to prove, 0 or more
     * @param timeLimitMs after that the best routes found are the answer
     */
    public Run(final Task task, final double gap, final long timeLimitMs, final LongSupplier nowNs) {
        this.task = task;
        this.gap = gap;
        this.timeLimitMs = timeLimitMs;
        this.nowNs = nowNs;
    }

    /** Solves the problem; returns when the run has ended, be it broken by an error such as a lack of memory. */
    public void execute(final Problem problem) {
        start();
        End outcome;
        try {
            outcome = task.solve(problem, new Limits(gap, Limits.THREADS, this::isOver, this::step));
        } catch (RuntimeException | Error e) {
            outcome = End.Broken.by(e);
        }
        finish(outcome);
    }

    /** Ends the run soon, with the best found so far. */
    public synchronized void cancel() {
        isCancelled = true;
    }

    public synchronized Status status() {
        return new Status(task, startNs.isPresent(), end.isPresent() ? endMs : elapsedMs(), end.isPresent()
            ? Optional.empty() : Forecast.remainingMs(progress, gap, timeLimitMs - elapsedMs()), progress, end);
    }

    private synchronized void start() {
        startNs = Optional.of(nowNs.getAsLong());
    }

    private synchronized void finish(final End outcome) {
        endMs = elapsedMs();
        end = Optional.of(outcome);
    }

    private synchronized boolean isOver() {
        return isCancelled || elapsedMs() >= timeLimitMs;
    }

    synchronized void step(final double value, final double bound, final double proven) {
        if (Double.isFinite(bound)) {
            if (progress.size() == MAX_PROGRESS) {
                for (int i = MAX_PROGRESS - 1; i > 0; i -= 2) {
                    progress.remove(i);
                }
            }
            progress.add(new Progress(elapsedMs(), value, bound, proven));
        }
    }

    private long elapsedMs() {
        return startNs.map(start -> (long) ((nowNs.getAsLong() - start) / MS)).orElse(0L);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.planner.plan.Plan;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** When to look for moves unasked: every so often, if the plan has changed since. For one thread at a time. */
final class MoveWatch implements AutoCloseable {
    static final long NEVER = 0;

    private final ScheduledExecutorService timer;
    private final Runnable look;
    private long intervalS = NEVER;
    private Optional<Future<?>> repetition = Optional.empty();
    private Optional<Seen> last = Optional.empty();

    /**
     * Doesn't begin yet.
     *
     * @param timer is ended with this
     * @param look returns soon
     */
    MoveWatch(final ScheduledExecutorService timer, final Runnable look) {
        this.timer = timer;
        this.look = look;
    }

    /** Looks so often from now on; {@link #NEVER} is never. */
    void every(final long seconds) {
        if (seconds != intervalS && !timer.isShutdown()) {
            intervalS = seconds;
            repetition.ifPresent(old -> old.cancel(false));
            repetition = seconds == NEVER ? Optional.empty()
                : Optional.of(timer.scheduleWithFixedDelay(look, seconds, seconds, TimeUnit.SECONDS));
        }
    }

    /** Takes note of a plan for which moves are looked for. */
    void note(final Plan plan) {
        last = Optional.of(Seen.of(plan));
    }

    /** Whether a plan differs from the one for which moves were last looked for. */
    boolean isNews(final Plan plan) {
        return last.filter(seen -> seen.isLike(plan)).isEmpty();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

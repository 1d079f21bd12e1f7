// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.RandomProblems;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.plan.Plan;
import io.sluice.planner.run.Status.End;
import io.sluice.planner.run.Status.End.Answered;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunTest {
    /** A second passes each time that somebody looks. */
    private final AtomicLong nowNs = new AtomicLong();

    private Run run(final double gap, final long timeLimitMs) {
        return new Run(new Task.Routing(Objective.SCALE), gap, timeLimitMs, () -> nowNs.addAndGet(1_000_000_000));
    }

    private static Routed routed(final Run run) {
        return assertInstanceOf(Routed.class,
            assertInstanceOf(Answered.class, run.status().end().orElseThrow()).answer());
    }

    @Test
    void endsWithAnAnswerAndTheGapOverTime() {
        final var run = run(1e-6, Long.MAX_VALUE / 2);
        assertEquals(0, run.status().elapsedMs());
        assertEquals(Optional.empty(), run.status().end());
        run.execute(RandomProblems.of(1));

        final var progress = run.status().progress();
        assertTrue(routed(run).gap() <= 1e-6);
        assertEquals(routed(run).gap(), progress.get(progress.size() - 1).gap());
        assertTrue(progress.size() <= Run.MAX_PROGRESS);
        for (int i = 1; i < progress.size(); i++) {
            assertTrue(progress.get(i).elapsedMs() > progress.get(i - 1).elapsedMs());
            assertTrue(progress.get(i).bound() <= progress.get(i - 1).bound());
        }
        assertEquals(run.status().elapsedMs(), run.status().elapsedMs(), "time stands still when a run has ended");
    }

    @Test
    void aRunThatIsCancelledOrOutOfTimeHasTheBestFound() {
        final var cancelled = run(0, Long.MAX_VALUE / 2);
        cancelled.cancel();
        cancelled.execute(RandomProblems.of(5));
        final var late = run(0, 1);
        late.execute(RandomProblems.of(5));

        assertTrue(routed(cancelled).value() > 0);
        assertEquals(routed(cancelled).value(), routed(late).value());
        assertEquals(0, routed(late).rounds(), "no program is begun when time is over");
    }

    @Test
    void aRunThatIsCancelledUnderWayEndsWithWhatItHas() {
        final var whole = run(0, Long.MAX_VALUE / 2);
        whole.execute(RandomProblems.of(5));
        final var run = new AtomicReference<Run>();
        final var isLooking = new AtomicBoolean();
        run.set(new Run(new Task.Routing(Objective.SCALE), 0, Long.MAX_VALUE / 2, () -> {
            if (!isLooking.getAndSet(true)) {
                if (!run.get().status().progress().isEmpty()) {
                    run.get().cancel();
                }
                isLooking.set(false);
            }
            return 0;
        }));
        run.get().execute(RandomProblems.of(5));

        final var progress = run.get().status().progress();
        assertTrue(progress.size() > 1 && progress.size() < whole.status().progress().size(), progress::toString);
        assertTrue(routed(run.get()).value() > 0);
        assertEquals(routed(run.get()).gap(), progress.get(progress.size() - 1).gap());
    }

    /** A second passes each time that somebody looks; so steps come long after the limit of a few seconds. */
    @Test
    void aRunThatIsOutOfTimeShowsNoTimeLeft() {
        final var run = new AtomicReference<Run>();
        final var isLooking = new AtomicBoolean();
        final var left = new ArrayList<Long>();
        run.set(new Run(new Task.Routing(Objective.SCALE), 0, 8_000, () -> {
            if (isLooking.getAndSet(true)) {
                return nowNs.get();
            }
            run.get().status().remainingMs().ifPresent(left::add);
            isLooking.set(false);
            return nowNs.addAndGet(1_000_000_000);
        }));
        run.get().execute(RandomProblems.of(5));

        assertTrue(left.stream().allMatch(each -> each >= 0) && left.contains(0L), left::toString);
    }

    @Test
    void everyTaskComesToItsEndWithProgress() {
        final var problem = RandomProblems.of(1);
        final var newSites = IntStream.range(0, problem.vnfs().size()).boxed()
            .collect(Collectors.toMap(vnf -> vnf, vnf -> 1));
        final var moves = new Task.Moves(Plan.of(problem, () -> false), 3);
        for (final var each : Map.of(new Task.Capacity(500_000), End.Expanded.class,
                new Task.Placement(newSites, 300_000), End.Hinted.class, moves, End.Proposed.class).entrySet()) {
            final var run = new Run(each.getKey(), 1e-6, Long.MAX_VALUE / 2, () -> nowNs.addAndGet(1_000_000_000));
            run.execute(problem);
            assertInstanceOf(each.getValue(), run.status().end().orElseThrow());
            assertFalse(run.status().progress().isEmpty(), each.getKey()::toString);
            final double bound = run.status().progress().get(0).bound();
            final double value = run.status().progress().get(run.status().progress().size() - 1).value();
            assertTrue(each.getKey() instanceof Task.Capacity ? value <= bound * (1 + 1e-6)
                : value >= bound * (1 - 1e-6), "no bound: " + each.getKey());
        }
    }

    @Test
    void theFirstStepIsKeptHoweverManyFollow() {
        final var run = run(0, Long.MAX_VALUE / 2);
        for (int step = 1; step <= 10 * Run.MAX_PROGRESS; step++) {
            run.step(step, step, 1.0 / step);
            final var progress = run.status().progress();
            assertTrue(progress.size() <= Run.MAX_PROGRESS, step + " steps");
            assertEquals(1, progress.get(0).value(), "after " + step + " steps");
            assertEquals(step, progress.get(progress.size() - 1).value());
        }
    }

    @Test
    void whatIsNoProblemIsNoEndOfTheWorld() {
        final var run = run(0, 1);
        run.execute(null);
        assertInstanceOf(End.Broken.class, run.status().end().orElseThrow());
    }

    /** The error comes up when somebody looks at the clock for the third time. */
    @Test
    void anErrorIsAnEndTooAndTellsWhatBroughtItAbout() {
        final var looks = new AtomicInteger();
        final var run = new Run(new Task.Routing(Objective.SCALE), 0, Long.MAX_VALUE / 2, () -> {
            if (looks.incrementAndGet() == 3) {
                final var error = new OutOfMemoryError("heap");
                error.initCause(new IOException("no space left"));
                throw error;
            }
            return 0;
        });
        run.execute(RandomProblems.of(5));
        final var reason = assertInstanceOf(End.Broken.class, run.status().end().orElseThrow()).reason();
        assertTrue(reason.contains("heap") && reason.contains("because of java.io.IOException: no space left"), reason);
    }
}

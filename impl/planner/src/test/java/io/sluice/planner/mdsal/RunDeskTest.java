// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.SettableFuture;
import io.sluice.mdsal.Notifier;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Problem;
import io.sluice.planner.plan.Change;
import io.sluice.planner.plan.Guide;
import io.sluice.planner.run.Run;
import io.sluice.planner.run.Status.End.Answered;
import io.sluice.planner.run.Task;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Outcome;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

class RunDeskTest {
    private static final long LIMIT_S = 60;
    private static final long PAUSE_MS = 100;

    /** What was put, and the paths of what was deleted, in order. */
    private final BlockingQueue<Object> writes = new LinkedBlockingQueue<>();
    private final Map<Integer, Queue<org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Run>> ends =
        new HashMap<>();

    @Test
    void onlyARunThatHasEndedMakesRoomForAnother() {
        final var gate = new CountDownLatch(1);
        final var problem = RandomProblems.of(1);
        try (var desk = desk(broker(CommitInfo::emptyFluentFuture))) {
            desk.start(run(() -> passed(gate)), problem, Guide.HEADROOM);
            for (int number = 2; number <= RunDesk.KEPT; number++) {
                assertEquals(OptionalInt.of(number), desk.start(run(System::nanoTime), problem, Guide.HEADROOM));
            }
            assertEquals(OptionalInt.empty(), desk.start(run(System::nanoTime), problem, Guide.HEADROOM));
            gate.countDown();
            while (desk.start(run(System::nanoTime), problem, Guide.HEADROOM).isEmpty()) {
                Thread.yield();
            }
            assertFalse(desk.cancel(1), "the oldest has made room");
            assertTrue(desk.cancel(RunDesk.KEPT + 1));
        }
    }

    /** Not even the clock works: no status can be told, and yet there is room for others again. */
    @Test
    void runsThatBreakDownMakeRoomToo() {
        final var problem = RandomProblems.of(1);
        try (var desk = desk(broker(CommitInfo::emptyFluentFuture))) {
            for (int number = 1; number <= RunDesk.KEPT; number++) {
                desk.start(run(() -> {
                    throw new OutOfMemoryError("heap");
                }), problem, Guide.HEADROOM);
            }
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
            OptionalInt next = OptionalInt.empty();
            while (next.isEmpty() && System.nanoTime() < endNs) {
                Thread.yield();
                next = desk.start(run(System::nanoTime), problem, Guide.HEADROOM);
            }
            assertEquals(OptionalInt.of(RunDesk.KEPT + 1), next);
        }
    }

    /** All wait behind the first; without the cancel, all would do as the second does. */
    @Test
    void onlyTheRunThatIsCancelledEndsEarly() throws InterruptedException {
        final var gate = new CountDownLatch(1);
        final var problem = RandomProblems.of(5);
        try (var desk = desk(broker(CommitInfo::emptyFluentFuture))) {
            desk.start(run(() -> passed(gate)), problem, Guide.HEADROOM);
            final int whole = desk.start(exactRun(), problem, Guide.HEADROOM).orElseThrow();
            final int cancelled = desk.start(exactRun(), problem, Guide.HEADROOM).orElseThrow();
            assertTrue(desk.cancel(cancelled));
            gate.countDown();

            final int steps = ended(whole).nonnullProgress().size();
            final var end = ended(cancelled);
            assertTrue(end.nonnullProgress().size() < steps, "all " + steps + " steps");
            assertEquals(Outcome.Routed, end.getOutcome());
            assertTrue(end.getValue().longValue() > 0 && end.getGap().getValue().toJava() > 0);
        }
    }

    @Test
    void whatIsWrittenNeverOverlaps() throws InterruptedException {
        final BlockingQueue<SettableFuture<CommitInfo>> commits = new LinkedBlockingQueue<>();
        try (var desk = desk(broker(() -> {
            final var commit = SettableFuture.<CommitInfo>create();
            commits.add(commit);
            return FluentFuture.from(commit);
        }))) {
            final var first = taken(commits);
            desk.start(run(System::nanoTime), RandomProblems.of(1), Guide.HEADROOM);
            assertNull(commits.poll(PAUSE_MS, TimeUnit.MILLISECONDS), "the first has not been written yet");
            first.set(CommitInfo.empty());
            taken(commits).set(CommitInfo.empty());
        }
    }

    @Test
    void theEndIsWrittenAgainAfterAFailure() throws InterruptedException {
        try (var desk = desk(broker(() ->
                FluentFuture.from(Futures.immediateFailedFuture(new IllegalStateException("no leader")))))) {
            desk.start(run(System::nanoTime), RandomProblems.of(1), Guide.HEADROOM);
            assertEquals(ended(1), ended(1));
        }
    }

    @Test
    void aRunThatMakesRoomGoesThoughItCantBeWrittenAtFirst() throws InterruptedException {
        try (var desk = desk(broker(() ->
                FluentFuture.from(Futures.immediateFailedFuture(new IllegalStateException("no leader")))))) {
            for (int number = 1; number <= RunDesk.KEPT; number++) {
                desk.start(run(System::nanoTime), RandomProblems.of(1), Guide.HEADROOM);
            }
            while (desk.start(run(System::nanoTime), RandomProblems.of(1), Guide.HEADROOM).isEmpty()) {
                Thread.yield();
            }
            assertEquals(withdrawn(), withdrawn());
        }
    }

    @Test
    void theLatestRoutesOfLeastLatencyAreALesson() throws InterruptedException {
        try (var desk = desk(broker(CommitInfo::emptyFluentFuture))) {
            assertEquals(Optional.empty(), desk.lesson());
            desk.start(latencyRun(), light(1), Guide.HEADROOM);
            desk.start(latencyRun(), light(2), Guide.HEADROOM);
            desk.start(run(System::nanoTime), light(3), Guide.HEADROOM);
            ended(3);
            assertEquals(2, desk.lesson().orElseThrow().number());
        }
    }

    @Test
    void whatIsTaughtTooLateDoesNotCount() {
        final var desk = desk(broker(CommitInfo::emptyFluentFuture));
        assertTrue(desk.teach(0, Guide.NONE));
        assertFalse(desk.teach(1, Guide.NONE), "another run's lesson counts");
        desk.close();
        assertFalse(desk.teach(0, Guide.NONE), "there is nobody to learn");
    }

    private static Problem light(final long seed) {
        return new Change.Traffic(100_000).applyTo(RandomProblems.of(seed));
    }

    private static Run latencyRun() {
        return new Run(new Task.Routing(Objective.LATENCY), 1e-4, Long.MAX_VALUE / 2, System::nanoTime);
    }

    /** The clock goes backwards, and no elapsed time below 0 can be said. */
    @Test
    void anEndThatCantBeSaidIsAFailure() throws InterruptedException {
        final var clock = new AtomicLong();
        try (var desk = desk(broker(CommitInfo::emptyFluentFuture))) {
            desk.start(run(() -> clock.addAndGet(-1_000_000_000)), RandomProblems.of(1), Guide.HEADROOM);
            final var end = ended(1);
            assertEquals(Outcome.Failed, end.getOutcome());
            assertTrue(end.requireReason().startsWith("it can't be shown: "), end.requireReason());
        }
    }

    /** The next end of a run that is shown; ends of others, which may be shown before it, wait to be asked for. */
    private org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Run ended(final int number)
            throws InterruptedException {
        while (ends.getOrDefault(number, new ArrayDeque<>()).isEmpty()) {
            if (taken(writes) instanceof org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Run run
                    && run.getOutcome() != Outcome.Running
                    && run.getOutcome() != Outcome.Waiting) {
                ends.computeIfAbsent(run.getNumber().intValue(), first -> new ArrayDeque<>()).add(run);
            }
        }
        return ends.get(number).remove();
    }

    /** The path of the next run that goes. */
    private Object withdrawn() throws InterruptedException {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        Object next = taken(writes);
        while (!(next instanceof DataObjectIdentifier)) {
            assertTrue(System.nanoTime() < endNs, "none goes");
            next = taken(writes);
        }
        return next;
    }

    /** A run to the optimum; a second passes each time that somebody looks. */
    private static Run exactRun() {
        final var nowNs = new AtomicLong();
        return new Run(new Task.Routing(Objective.SCALE), 0, Long.MAX_VALUE / 2,
            () -> nowNs.addAndGet(1_000_000_000));
    }

    private static Run run(final LongSupplier clock) {
        return new Run(new Task.Routing(Objective.SCALE), 1, Long.MAX_VALUE / 2, clock);
    }

    private static long passed(final CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return 0;
    }

    private static <T> T taken(final BlockingQueue<T> queue) throws InterruptedException {
        return Objects.requireNonNull(queue.poll(LIMIT_S, TimeUnit.SECONDS), "nothing came");
    }

    private static RunDesk desk(final DataBroker broker) {
        return new RunDesk(new StateWriter(broker), new PlannerEvents(new Notifier(
            Shown.fake(NotificationPublishService.class, (proxy, method, arguments) -> null))), InstantSource.system(),
            System::nanoTime);
    }

    private DataBroker broker(final Supplier<FluentFuture<?>> commit) {
        return Shown.fake(DataBroker.class, (proxy, method, arguments) ->
            Shown.fake(WriteTransaction.class, (transaction, call, values) -> {
                switch (call.getName()) {
                    case "put" -> writes.add(values[2]);
                    case "delete" -> writes.add(values[1]);
                    default -> { }
                }
                return call.getName().equals("commit") ? commit.get() : null;
            }));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Problem;
import io.sluice.planner.plan.Guide;
import io.sluice.planner.run.Run;
import io.sluice.planner.run.Status;
import io.sluice.planner.run.Status.End.Answered;
import io.sluice.planner.run.Status.End.Proposed;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.RunKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs, one after the other, and their status. */
final class RunDesk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunDesk.class);
    static final int KEPT = 10;
    private static final long END_S = 10;

    private final StateWriter writer;
    private final PlannerEvents events;
    private final InstantSource clock;
    private final LongSupplier nowNs;
    private final ExecutorService worker =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().name("sluice-planner-runs").daemon().factory());
    private final ExecutorService teacher = Executors.newSingleThreadExecutor(Thread.ofPlatform()
        .name("sluice-planner-lessons").priority(Thread.MIN_PRIORITY).daemon().factory());
    /** Numbers of the runs that are shown. */
    private final TreeSet<Integer> kept = new TreeSet<>();
    /** Those whose end is not shown yet: an end may hold a network of its own, and is given up when it is. */
    private final Map<Integer, Entry> current = new HashMap<>();
    private final Set<Integer> unfinished = new HashSet<>();
    private Optional<Lesson> lesson = Optional.empty();
    /** The run whose lesson counts. */
    private volatile int taught;
    private Optional<Found> found = Optional.empty();
    private int last;

    private record Entry(int number, Run run, Instant ordered) { }

    /** What a run has taught. */
    record Lesson(int number, Guide guide) { }

    /** The moves that a run has found. */
    private record Found(int number, Proposed moves) { }

    RunDesk(final StateWriter writer, final PlannerEvents events, final InstantSource clock,
            final LongSupplier nowNs) {
        this.writer = writer;
        this.events = events;
        this.clock = clock;
        this.nowNs = nowNs;
    }

    /**
     * Lines a run up; returns its number, or empty if as many as are kept have not ended yet.
     *
     * @param headroom see {@link Guide#learnt}
     */
    synchronized OptionalInt start(final Run run, final Problem problem, final double headroom) {
        if (kept.size() == KEPT) {
            final var ended = kept.stream().filter(number -> !unfinished.contains(number)).findFirst();
            if (ended.isEmpty()) {
                return OptionalInt.empty();
            }
            forget(ended.orElseThrow());
        }
        final var entry = new Entry(++last, run, clock.instant());
        kept.add(entry.number());
        current.put(entry.number(), entry);
        unfinished.add(entry.number());
        writer.repeat(() -> follow(entry));
        worker.execute(() -> {
            try {
                run.execute(problem);
            } finally {
                markEnded(entry);
            }
            run.status().end().ifPresent(end -> learn(entry, end, headroom));
        });
        return OptionalInt.of(entry.number());
    }

    /** Whether no run waits or is worked on. */
    synchronized boolean isIdle() {
        return unfinished.isEmpty();
    }

    /** Cancels a run; whether there is such a run. */
    synchronized boolean cancel(final int number) {
        Optional.ofNullable(current.get(number)).ifPresent(entry -> entry.run().cancel());
        return kept.contains(number);
    }

    /** What the latest run of least latency teaches a plan. */
    synchronized Optional<Lesson> lesson() {
        return lesson;
    }

    /** The moves that a run has found, if none has found some later. */
    synchronized Optional<Proposed> moves(final int number) {
        return found.filter(latest -> latest.number() == number).map(Found::moves);
    }

    @Override
    public void close() {
        synchronized (this) {
            current.values().forEach(entry -> entry.run().cancel());
        }
        worker.shutdownNow();
        teacher.shutdownNow();
        try {
            if (!worker.awaitTermination(END_S, TimeUnit.SECONDS)) {
                LOG.warn("a run goes on {} s after it was cancelled", END_S);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void markEnded(final Entry entry) {
        unfinished.remove(entry.number());
        final var end = entry.run().status().end();
        if (end.filter(Proposed.class::isInstance).isPresent()) {
            found = Optional.of(new Found(entry.number(), (Proposed) end.orElseThrow()));
        }
    }

    /** The run's own prices count at once, better ones when they are found; runs go on meanwhile. */
    private void learn(final Entry entry, final Status.End end, final double headroom) {
        if (end instanceof Answered answered && answered.answer() instanceof Routed routed
                && Guide.isWorthLearning(routed)) {
            taught = entry.number();
            teach(entry.number(), Guide.of(answered.instance(), routed));
            teacher.execute(() -> {
                final long endNs = nowNs.getAsLong() + TimeUnit.SECONDS.toNanos(Run.TIME_LIMIT_S);
                try {
                    final var learnt = Guide.learnt(answered.instance(), routed, headroom, new Limits(Limits.GAP, 1,
                        () -> !isTaughtBy(entry.number()) || nowNs.getAsLong() > endNs));
                    if (teach(entry.number(), learnt)) {
                        LOG.info("prices-learnt run={} headroom={}", entry.number(), headroom);
                    }
                } catch (RuntimeException | Error e) {
                    LOG.warn("prices-unlearnt run={}", entry.number(), e);
                }
            });
        }
    }

    /** Has a guide count, unless it is too late for it; whether it counts. */
    synchronized boolean teach(final int number, final Guide guide) {
        final boolean counts = isTaughtBy(number);
        if (counts) {
            lesson = Optional.of(new Lesson(number, guide));
        }
        return counts;
    }

    /** Whether what a run teaches still counts: no later run has taught something, and the planner goes on. */
    private boolean isTaughtBy(final int number) {
        return taught == number && !worker.isShutdown();
    }

    private synchronized boolean isCurrent(final Entry entry) {
        return current.containsKey(entry.number());
    }

    private synchronized void markShown(final Entry entry) {
        current.remove(entry.number());
    }

    private void forget(final int number) {
        kept.remove(number);
        current.remove(number);
        writer.repeat(() -> withdraw(number));
    }

    /** Shows a run; whether that was for the last time. */
    private boolean follow(final Entry entry) {
        if (!isCurrent(entry)) {
            return true;
        }
        final var status = entry.run().status();
        final var shown = shown(entry, status);
        final boolean isEndWritten = writer.write(transaction ->
            transaction.put(LogicalDatastoreType.OPERATIONAL, path(entry.number()), shown)) && status.end().isPresent();
        if (isEndWritten) {
            markShown(entry);
            events.runEnded(shown, status);
        }
        return isEndWritten;
    }

    /** A status that can't be said would not be sayable later: it counts as a failure. */
    private static org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Run shown(final Entry entry,
            final Status status) {
        try {
            return RunCodec.run(entry.number(), entry.ordered(), status);
        } catch (RuntimeException e) {
            LOG.error("run {} can't be shown", entry.number(), e);
            return RunCodec.unsayable(entry.number(), entry.ordered(), status, e);
        }
    }

    private boolean withdraw(final int number) {
        return writer.write(transaction -> transaction.delete(LogicalDatastoreType.OPERATIONAL, path(number)));
    }

    private static DataObjectIdentifier<org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Run> path(
            final int number) {
        return StateWriter.ROOT.toBuilder()
            .child(org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Run.class,
                new RunKey(Uint32.valueOf(number))).build();
    }
}

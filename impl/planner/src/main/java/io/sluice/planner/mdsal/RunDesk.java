// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.planner.model.Problem;
import io.sluice.planner.run.Run;
import io.sluice.planner.run.Status;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Planner;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.PlannerBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.RunKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs, one after the other, and their status in the operational datastore. */
final class RunDesk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunDesk.class);
    private static final DataObjectIdentifier<Planner> ROOT = DataObjectIdentifier.builder(Planner.class).build();
    static final int KEPT = 10;
    private static final long END_S = 10;
    /** The published status is so old at most. */
    private static final long PUBLISH_MS = 500;

    private final DataBroker dataBroker;
    private final ScheduledExecutorService worker =
        Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("sluice-planner-runs").daemon().factory());
    private final ScheduledExecutorService publisher =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sluice-planner-status").daemon().factory());
    private final TreeMap<Integer, Entry> entries = new TreeMap<>();
    private final Set<Integer> unfinished = new HashSet<>();
    private int last;

    private record Entry(int number, Run run, Instant started) { }

    /** Clears what an earlier owner may have left. */
    RunDesk(final DataBroker dataBroker) {
        this.dataBroker = dataBroker;
        publisher.execute(() -> write(transaction ->
            transaction.put(LogicalDatastoreType.OPERATIONAL, ROOT, new PlannerBuilder().build())));
    }

    /** Lines a run up; returns its number, or empty if as many as are kept have not ended yet. */
    synchronized OptionalInt start(final Run run, final Problem problem) {
        if (entries.size() == KEPT) {
            final var ended = entries.values().stream().filter(entry -> !unfinished.contains(entry.number()))
                .findFirst();
            if (ended.isEmpty()) {
                return OptionalInt.empty();
            }
            entries.remove(ended.orElseThrow().number());
            publisher.execute(() -> withdraw(ended.orElseThrow()));
        }
        final var entry = new Entry(++last, run, Instant.now());
        entries.put(entry.number(), entry);
        unfinished.add(entry.number());
        publisher.execute(() -> follow(entry));
        worker.execute(() -> {
            try {
                run.execute(problem);
            } finally {
                markEnded(entry);
            }
            LOG.info("run-ended number={} elapsed-ms={}", entry.number(), run.status().elapsedMs());
        });
        return OptionalInt.of(entry.number());
    }

    /** Cancels a run; whether there is such a run. */
    synchronized boolean cancel(final int number) {
        final var entry = entries.get(number);
        if (entry != null) {
            entry.run().cancel();
        }
        return entry != null;
    }

    /** What the runs that are kept came to, the latest first. */
    synchronized List<Status.End> ends() {
        return entries.descendingMap().values().stream().flatMap(entry -> entry.run().status().end().stream()).toList();
    }

    @Override
    public void close() {
        synchronized (this) {
            entries.values().forEach(entry -> entry.run().cancel());
        }
        worker.shutdownNow();
        try {
            if (!worker.awaitTermination(END_S, TimeUnit.SECONDS)) {
                LOG.warn("a run goes on {} s after it was cancelled", END_S);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        publisher.shutdownNow();
    }

    private synchronized void markEnded(final Entry entry) {
        unfinished.remove(entry.number());
    }

    private synchronized boolean isKept(final Entry entry) {
        return entries.containsKey(entry.number());
    }

    /** Shows a run again and again, until its end is shown. */
    private void follow(final Entry entry) {
        if (isKept(entry)) {
            final var status = entry.run().status();
            if (!show(entry, status) || status.end().isEmpty()) {
                publisher.schedule(() -> follow(entry), PUBLISH_MS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /** Whether there is no more to be done about it: shown again, a status that can't be said would fail again. */
    private boolean show(final Entry entry, final Status status) {
        try {
            final var shown = RunCodec.run(entry.number(), entry.started(), status);
            return write(transaction -> transaction.put(LogicalDatastoreType.OPERATIONAL, path(entry), shown));
        } catch (RuntimeException e) {
            LOG.error("run {} can't be shown", entry.number(), e);
            return true;
        }
    }

    private void withdraw(final Entry entry) {
        write(transaction -> transaction.delete(LogicalDatastoreType.OPERATIONAL, path(entry)));
    }

    /** Waits until it is written, since a transaction that overlaps with the one before may conflict with it. */
    private boolean write(final Consumer<WriteTransaction> change) {
        final var transaction = dataBroker.newWriteOnlyTransaction();
        change.accept(transaction);
        try {
            transaction.commit().get();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            LOG.warn("the runs can't be published", e);
        }
        return false;
    }

    private static DataObjectIdentifier<org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Run> path(
            final Entry entry) {
        return ROOT.toBuilder().child(org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Run.class,
            new RunKey(Uint32.valueOf(entry.number()))).build();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Planner;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.PlannerBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the planner shows in the operational datastore, written by a thread of its own, one thing after the other. */
final class StateWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateWriter.class);
    static final DataObjectIdentifier<Planner> ROOT = DataObjectIdentifier.builder(Planner.class).build();

    /** What can't be written now is tried again so much later; what goes on changing is shown so often. */
    private static final long AGAIN_MS = 500;

    private final DataBroker dataBroker;
    /** What is to be written after the end is not. */
    private final ScheduledExecutorService thread = new ScheduledThreadPoolExecutor(1,
        Thread.ofPlatform().name("sluice-planner-status").daemon().factory(), new DiscardPolicy());
    private boolean isCleared;

    /** Clears what an earlier owner may have left, at the latest with the first thing that is written. */
    StateWriter(final DataBroker dataBroker) {
        this.dataBroker = dataBroker;
        repeat(() -> isCleared || write(transaction -> { }));
    }

    /**
     * Has a task done that writes, again and again until it says that it need not be.
     *
     * @param task returns whether it is done
     */
    void repeat(final BooleanSupplier task) {
        thread.execute(() -> attempt(task));
    }

    private void attempt(final BooleanSupplier task) {
        boolean isDone = false;
        try {
            isDone = task.getAsBoolean();
        } catch (RuntimeException | LinkageError e) {
            LOG.error("the planner's state can't be told", e);
        }
        if (!isDone) {
            thread.schedule(() -> attempt(task), AGAIN_MS, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Writes, in a task. Waits until it is written, since a transaction that overlaps with the one before may conflict
     * with it.
     *
     * @return whether it was written
     */
    boolean write(final Consumer<WriteTransaction> change) {
        final var transaction = dataBroker.newWriteOnlyTransaction();
        if (!isCleared) {
            transaction.put(LogicalDatastoreType.OPERATIONAL, ROOT, new PlannerBuilder().build());
        }
        change.accept(transaction);
        try {
            transaction.commit().get();
            isCleared = true;
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            LOG.warn("the planner's state can't be published", e);
        }
        return false;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

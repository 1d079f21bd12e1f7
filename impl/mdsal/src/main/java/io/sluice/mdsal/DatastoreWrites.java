// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import io.sluice.api.Batches;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the datastore in one transaction at a time: of two that overlap and touch the same data the second would be
 * lost. Changes that come meanwhile share the next one. A change may be made to a second transaction if the first one
 * fails. Thread-safe.
 */
public final class DatastoreWrites {
    private static final Logger LOG = LoggerFactory.getLogger(DatastoreWrites.class);

    private final DataBroker dataBroker;
    private final Batches<Consumer<WriteTransaction>> batches;

    /**
     * Starts with nothing to write.
     *
     * @param what is written, for the log
     * @param executor makes changes and commits; who writes from a loop that others wait for has it done elsewhere
     */
    public DatastoreWrites(final DataBroker dataBroker, final String what, final Executor executor) {
        this.dataBroker = dataBroker;
        batches = new Batches<>(changes -> CompletableFuture.supplyAsync(() -> commit(changes), executor)
            .thenCompose(Function.identity()).whenComplete((written, failure) -> {
                if (failure != null) {
                    LOG.warn("{} could not be written, {} changes", what, changes.size(), failure);
                }
            }));
    }

    /** Makes a change; completes when the datastore has taken it, or refused it twice, which is logged. */
    public CompletionStage<Void> write(final Consumer<WriteTransaction> change) {
        return batches.add(change);
    }

    private CompletionStage<Void> commit(final List<Consumer<WriteTransaction>> changes) {
        final var transaction = dataBroker.newWriteOnlyTransaction();
        changes.forEach(change -> change.accept(transaction));
        return Commit.commit(transaction);
    }
}

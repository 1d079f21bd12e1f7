// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.mdsal;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import io.sluice.api.Batches;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
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
    private final String what;
    private final Batches<Consumer<WriteTransaction>> batches = new Batches<>(this::commit);

    /**
     * Starts with nothing to write.
     *
     * @param what is written, for the log
     */
    public DatastoreWrites(final DataBroker dataBroker, final String what) {
        this.dataBroker = dataBroker;
        this.what = what;
    }

    /** Makes a change; completes when the datastore has taken it, or refused it twice, which is logged. */
    public CompletionStage<Void> write(final Consumer<WriteTransaction> change) {
        return batches.add(change);
    }

    private CompletionStage<Void> commit(final List<Consumer<WriteTransaction>> changes) {
        final var transaction = dataBroker.newWriteOnlyTransaction();
        changes.forEach(change -> change.accept(transaction));
        final var done = new CompletableFuture<Void>();
        transaction.commit().addCallback(new FutureCallback<CommitInfo>() {
            @Override
            public void onSuccess(final CommitInfo info) {
                done.complete(null);
            }

            @Override
            public void onFailure(final Throwable failure) {
                LOG.warn("{} could not be written, {} changes", what, changes.size(), failure);
                done.completeExceptionally(failure);
            }
        }, MoreExecutors.directExecutor());
        return done;
    }
}

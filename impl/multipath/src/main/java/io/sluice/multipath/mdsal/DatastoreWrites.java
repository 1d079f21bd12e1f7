// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.Batches;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;

/**
 * Writes to the datastore in one transaction at a time, off the caller's thread: of two that overlap and touch the same
 * data the second would be lost. Changes that come meanwhile share the next one. A change may be made to a second
 * transaction if the first one fails. Thread-safe.
 */
final class DatastoreWrites {
    private final DataBroker dataBroker;
    private final Batches<Consumer<WriteTransaction>> batches = new Batches<>(changes ->
        CompletableFuture.supplyAsync(() -> commit(changes), Thread::startVirtualThread)
            .thenCompose(Function.identity()));

    DatastoreWrites(final DataBroker dataBroker) {
        this.dataBroker = dataBroker;
    }

    /** Makes a change; completes when the datastore has taken it, or refused it twice. */
    CompletionStage<Void> write(final Consumer<WriteTransaction> change) {
        return batches.add(change);
    }

    private CompletionStage<Void> commit(final List<Consumer<WriteTransaction>> changes) {
        final var transaction = dataBroker.newWriteOnlyTransaction();
        changes.forEach(change -> change.accept(transaction));
        return Committed.commit(transaction);
    }
}

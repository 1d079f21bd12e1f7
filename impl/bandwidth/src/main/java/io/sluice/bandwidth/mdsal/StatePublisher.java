// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import io.sluice.api.Batches;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Bandwidth;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the state in the operational datastore: as a whole, if it differs from what was written last. */
final class StatePublisher {
    private static final Logger LOG = LoggerFactory.getLogger(StatePublisher.class);
    private static final DataObjectIdentifier<Bandwidth> ROOT = DataObjectIdentifier.builder(Bandwidth.class).build();

    private final DataBroker dataBroker;
    /** Of two transactions that overlap the second would be lost. */
    private final Batches<Bandwidth> writes = new Batches<>(states -> write(states.getLast()));
    private Bandwidth published;

    StatePublisher(final DataBroker dataBroker) {
        this.dataBroker = dataBroker;
    }

    void publish(final Bandwidth state) {
        if (!state.equals(published)) {
            published = state;
            writes.add(state).whenComplete((written, failure) -> {
                if (failure != null) {
                    LOG.warn("rates can't be published", failure);
                }
            });
        }
    }

    private CompletionStage<Void> write(final Bandwidth state) {
        final var done = new CompletableFuture<Void>();
        final var transaction = dataBroker.newWriteOnlyTransaction();
        transaction.put(LogicalDatastoreType.OPERATIONAL, ROOT, state);
        transaction.commit().addCallback(new FutureCallback<CommitInfo>() {
            @Override
            public void onSuccess(final CommitInfo info) {
                done.complete(null);
            }

            @Override
            public void onFailure(final Throwable failure) {
                done.completeExceptionally(failure);
            }
        }, MoreExecutors.directExecutor());
        return done;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import io.sluice.api.Batches;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a part of the configuration as it stands now. What a client wrote before it called an RPC counts for that RPC,
 * though the datastore may not have told of it yet; and one reading follows the other, so that none brings back an
 * older state. Callers share a reading that has not begun. Thread-safe.
 *
 * @param <T> what is read
 */
public final class ConfigurationReadings<T extends DataObject> {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationReadings.class);

    private final DataBroker dataBroker;
    private final DataObjectIdentifier<T> root;
    private final Batches<ConfigurationReadings<T>> readings;

    /**
     * Has read nothing yet.
     *
     * @param taker takes what was read, empty if there is none; a reading ends with its stage
     */
    public ConfigurationReadings(final DataBroker dataBroker, final DataObjectIdentifier<T> root,
            final Function<Optional<T>, CompletionStage<Void>> taker) {
        this.dataBroker = dataBroker;
        this.root = root;
        readings = new Batches<>(callers -> read().thenCompose(taker).whenComplete((taken, failure) -> {
            if (failure != null) {
                LOG.warn("the configuration can't be taken", failure);
            }
        }));
    }

    /** Reads; completes when it is taken, or could not be taken twice, which is logged. */
    public CompletionStage<Void> refresh() {
        return readings.add(this);
    }

    private CompletionStage<Optional<T>> read() {
        final var read = new CompletableFuture<Optional<T>>();
        final var transaction = dataBroker.newReadOnlyTransaction();
        transaction.read(LogicalDatastoreType.CONFIGURATION, root).addCallback(new FutureCallback<>() {
            @Override
            public void onSuccess(final Optional<T> configuration) {
                transaction.close();
                read.complete(configuration);
            }

            @Override
            public void onFailure(final Throwable failure) {
                transaction.close();
                read.completeExceptionally(failure);
            }
        }, MoreExecutors.directExecutor());
        return read;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell.karaf;

import com.google.common.base.Throwables;
import io.sluice.shell.DataReader;
import io.sluice.shell.DataWriter;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeWriteTransaction;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;

/** The controller's datastores, as a terminal waits for them. */
final class Datastores implements DataReader, DataWriter {
    /** A datastore without a leader must not hold up a terminal for longer. */
    private static final long LIMIT_MS = 3_000;

    private final DOMDataBroker broker;

    Datastores(final DOMDataBroker broker) {
        this.broker = broker;
    }

    @Override
    public Optional<NormalizedNode> read(final LogicalDatastoreType store, final YangInstanceIdentifier path)
            throws InterruptedException, ReadFailedException {
        try (var transaction = broker.newReadOnlyTransaction()) {
            return transaction.read(store, path).get(LIMIT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new ReadFailedException(String.valueOf(e.getCause().getMessage()), e);
        } catch (TimeoutException e) {
            throw new ReadFailedException("no answer within " + LIMIT_MS + " ms", e);
        }
    }

    @Override
    public void put(final YangInstanceIdentifier path, final NormalizedNode node)
            throws InterruptedException, TransactionCommitFailedException {
        commit(transaction -> transaction.put(LogicalDatastoreType.CONFIGURATION, path, node));
    }

    @Override
    public void delete(final YangInstanceIdentifier path)
            throws InterruptedException, TransactionCommitFailedException {
        commit(transaction -> transaction.delete(LogicalDatastoreType.CONFIGURATION, path));
    }

    private void commit(final Consumer<DOMDataTreeWriteTransaction> change)
            throws InterruptedException, TransactionCommitFailedException {
        final var transaction = broker.newWriteOnlyTransaction();
        try {
            change.accept(transaction);
        } catch (IllegalArgumentException e) {
            transaction.cancel();
            throw new TransactionCommitFailedException(String.valueOf(e.getMessage()), e);
        }
        try {
            transaction.commit().get(LIMIT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new TransactionCommitFailedException(String.valueOf(Throwables.getRootCause(e).getMessage()), e);
        } catch (TimeoutException e) {
            throw new TransactionCommitFailedException("no answer within " + LIMIT_MS + " ms; it may yet be stored", e);
        }
    }
}

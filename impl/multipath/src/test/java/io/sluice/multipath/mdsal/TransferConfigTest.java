// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.SettableFuture;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.testlib.Addresses;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/** On a datastore that ends its transactions when the test says so. */
class TransferConfigTest {
    private record Committed(List<String> changes, SettableFuture<CommitInfo> end) { }

    private final LinkedBlockingQueue<Committed> committed = new LinkedBlockingQueue<>();
    private final TransferConfig config = new TransferConfig((DataBroker) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {DataBroker.class}, (proxy, method, arguments) -> transaction()));

    @Test
    void transfersOfABurstShareATransactionAndAreKeptWhenItEnds() throws InterruptedException {
        final var first = put("a");
        final var transaction = committed.take();
        final var others = List.of(put("b"), put("c"), config.delete("a").toCompletableFuture());
        assertEquals(List.of("put a"), transaction.changes());
        assertFalse(first.isDone());

        transaction.end().set(CommitInfo.empty());
        first.join();
        final var burst = committed.take();
        assertEquals(List.of("put b", "put c", "delete a"), burst.changes());
        others.forEach(other -> assertFalse(other.isDone()));
        burst.end().set(CommitInfo.empty());
        others.forEach(CompletableFuture::join);
    }

    @Test
    void whoMeetsAnotherWriterIsKeptAtTheSecondAttemptAndAFailureIsTold() throws InterruptedException {
        final var kept = put("a");
        committed.take().end().setException(new IllegalStateException("somebody else wrote"));
        final var again = committed.take();
        assertEquals(List.of("put a"), again.changes());
        again.end().set(CommitInfo.empty());
        kept.join();

        final var lost = put("b");
        for (int attempt = 1; attempt <= 2; attempt++) {
            committed.take().end().setException(new IllegalStateException("no leader"));
        }
        assertEquals("no leader", assertThrows(CompletionException.class, lost::join).getCause().getMessage());
    }

    private CompletableFuture<Void> put(final String name) {
        return config.put(
            new Transfer(name, Addresses.ip("10.0.0.1"), "files", List.of(1), Optional.empty(), OptionalLong.empty()))
            .toCompletableFuture();
    }

    private WriteTransaction transaction() {
        final var changes = new ArrayList<String>();
        return (WriteTransaction) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {WriteTransaction.class}, (proxy, method, arguments) -> switch (method.getName()) {
                case "mergeParentStructurePut" -> changes.add("put " + name(arguments[1]));
                case "delete" -> changes.add("delete " + name(arguments[1]));
                case "commit" -> {
                    final var end = SettableFuture.<CommitInfo>create();
                    committed.add(new Committed(changes, end));
                    yield FluentFuture.from(end);
                }
                default -> throw new UnsupportedOperationException(method.getName());
            });
    }

    private static String name(final Object path) {
        return ((DataObjectIdentifier<?>) path).getFirstKeyOf(
            org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Transfer.class)
            .getName().getValue();
    }
}

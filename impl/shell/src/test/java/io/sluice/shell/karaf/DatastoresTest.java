// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell.karaf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.Futures;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeWriteTransaction;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.spi.node.ImmutableNodes;

class DatastoresTest {
    private static final QName NAME = QName.create("urn:test", "leaf");
    private static final YangInstanceIdentifier PATH = YangInstanceIdentifier.of(NAME);
    private static final NormalizedNode NODE = ImmutableNodes.leafNode(NAME, "value");

    private final List<String> calls = new ArrayList<>();
    private final Datastores datastores = new Datastores((DOMDataBroker) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {DOMDataBroker.class},
        (proxy, method, arguments) -> transaction()));
    private FluentFuture<? extends CommitInfo> outcome = CommitInfo.emptyFluentFuture();
    private boolean outOfSchema;

    private DOMDataTreeWriteTransaction transaction() {
        return (DOMDataTreeWriteTransaction) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {DOMDataTreeWriteTransaction.class}, (proxy, method, arguments) -> {
                calls.add(method.getName());
                return switch (method.getName()) {
                    case "commit" -> outcome;
                    case "cancel" -> true;
                    default -> {
                        assertEquals(List.of(LogicalDatastoreType.CONFIGURATION, PATH),
                            List.of(arguments[0], arguments[1]));
                        if (outOfSchema) {
                            throw new IllegalArgumentException("no such leaf");
                        }
                        yield null;
                    }
                };
            });
    }

    @Test
    void changesAreCommitted() throws InterruptedException, TransactionCommitFailedException {
        datastores.put(PATH, NODE);
        datastores.delete(PATH);

        assertEquals(List.of("put", "commit", "delete", "commit"), calls);
    }

    @Test
    void aCommitThatFailsIsToldWithTheInnermostCause() {
        outcome = FluentFuture.from(Futures.<CommitInfo>immediateFailedFuture(
            new IllegalStateException("commit failed", new IllegalStateException("no leader"))));

        assertEquals("no leader",
            assertThrows(TransactionCommitFailedException.class, () -> datastores.delete(PATH)).getMessage());
    }

    @Test
    void whatTheSchemaDoesNotHaveLeavesNoTransactionBehind() {
        outOfSchema = true;

        assertEquals("no such leaf",
            assertThrows(TransactionCommitFailedException.class, () -> datastores.put(PATH, NODE)).getMessage());
        assertEquals(List.of("put", "cancel"), calls);
    }
}

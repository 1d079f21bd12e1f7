// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.SettableFuture;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.Memory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;

class FabricStoreTest {
    private static final SwitchId ONE = new SwitchId("openflow:1");

    /** Of each transaction, how many changes it has. */
    private final List<Integer> changes = new ArrayList<>();
    private final List<SettableFuture<CommitInfo>> commits = new ArrayList<>();
    private final FabricStore store = new FabricStore((DataBroker) Proxy.newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] {DataBroker.class}, (proxy, method, arguments) -> transaction()));

    @Test
    void changesOfTheSameThingNeverOverlap() {
        for (int object = 1; object <= 3; object++) {
            store.remember(ONE, base(object));
        }
        assertEquals(List.of(1), changes);

        commits.getFirst().set(CommitInfo.empty());
        assertEquals(List.of(1, 2), changes);

        commits.getLast().set(CommitInfo.empty());
        store.forget(ONE);
        assertEquals(List.of(1, 2, 1), changes);
    }

    @Test
    void whatWaitsIsWrittenAfterAFailureToo() {
        store.remember(ONE, base(1));
        store.remember(ONE, base(2));
        commits.getFirst().setException(new IllegalStateException("the shard has no leader"));
        assertEquals(List.of(1, 1), changes);
    }

    private static Memory.Base base(final long object) {
        return new Memory.Base(object, Set.of(), Set.of());
    }

    private WriteTransaction transaction() {
        final int number = changes.size();
        changes.add(0);
        commits.add(SettableFuture.create());
        return (WriteTransaction) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {WriteTransaction.class}, (proxy, method, arguments) -> switch (method.getName()) {
                case "put", "delete" -> changes.set(number, changes.get(number) + 1);
                case "commit" -> FluentFuture.from(commits.get(number));
                default -> throw new UnsupportedOperationException(method.getName());
            });
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.SettableFuture;
import io.sluice.api.Bandwidth;
import io.sluice.multipath.engine.EngineBed;
import io.sluice.multipath.engine.FlowCounts.Counted;
import io.sluice.testlib.Topologies;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/** On a datastore that notes what is written, and refuses it when the test says so. */
class StatePublisherTest {
    private final EngineBed bed = new EngineBed(Topologies.figure10(Bandwidth.ofMegabits(1000)), ConfigCodec.none());
    private final List<String> written = new ArrayList<>();
    private boolean fails;
    private SettableFuture<CommitInfo> slow;
    private final StatePublisher publisher = new StatePublisher(proxy(DataBroker.class, (name, arguments) ->
        proxy(WriteTransaction.class, this::transaction)));

    @Test
    void nothingIsWrittenTwice() {
        assertEquals(List.of("put Multipath", "put FlowEvents", "commit"), published(1));
        assertEquals(List.of("cancel"), published(1));
        assertEquals(List.of("put FlowEvents", "commit"), published(2));
    }

    @Test
    void everythingIsWrittenAgainAfterAFailure() {
        published(1);
        fails = true;
        published(2);
        fails = false;
        assertEquals(List.of("put Multipath", "put FlowEvents", "commit"), published(2));
        assertEquals(List.of("cancel"), published(2));
    }

    @Test
    void nothingIsWrittenWhileAWriteIsUnderWay() {
        published(1);
        slow = SettableFuture.create();
        assertEquals(List.of("put FlowEvents", "commit"), published(2));
        assertEquals(List.of(), published(3));
        slow.set(null);
        assertEquals(List.of("put FlowEvents", "commit"), published(3));
    }

    /** What is written when {@code placed} flows were placed so far. */
    private List<String> published(final long placed) {
        written.clear();
        publisher.publish(bed.engine(), Map.of(Counted.PLACED, placed));
        return List.copyOf(written);
    }

    private Object transaction(final String name, final Object[] arguments) {
        written.add(arguments == null ? name : name + " "
            + ((DataObjectIdentifier<?>) arguments[1]).lastStep().type().getSimpleName());
        final ListenableFuture<CommitInfo> done = slow != null ? slow : fails
            ? Futures.immediateFailedFuture(new IllegalStateException("no leader")) : Futures.immediateFuture(null);
        return switch (name) {
            case "commit" -> FluentFuture.from(done);
            case "cancel" -> true;
            default -> null;
        };
    }

    private static <T> T proxy(final Class<T> type, final Answer answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (proxy, method, arguments) -> answer.to(method.getName(), arguments)));
    }

    private interface Answer {
        Object to(String method, Object[] arguments);
    }
}

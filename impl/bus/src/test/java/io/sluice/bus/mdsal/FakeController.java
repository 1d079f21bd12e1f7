// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.Futures;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Bus;
import org.opendaylight.yangtools.binding.Notification;
import org.opendaylight.yangtools.binding.Rpc;
import org.opendaylight.yangtools.concepts.Registration;

/** As much of MD-SAL as the bus uses: a configuration that tests set, and notes of what is shown and told. */
final class FakeController {
    /** States in the order in which they were shown; empty when it was deleted. */
    final BlockingQueue<Optional<Bus>> shown = new LinkedBlockingQueue<>();
    final BlockingQueue<Notification<?>> told = new LinkedBlockingQueue<>();

    private final List<Rpc<?, ?>> rpcs = new CopyOnWriteArrayList<>();
    private volatile Optional<Bus> configuration = Optional.empty();
    private volatile DataTreeChangeListener<?> listener;

    BusApplication.Broker broker() {
        return new BusApplication.Broker(
            proxy(DataBroker.class, this::broker),
            proxy(RpcProviderService.class, this::provider),
            proxy(NotificationPublishService.class, (method, arguments) -> {
                told.add((Notification<?>) arguments[0]);
                return Futures.immediateVoidFuture();
            }));
    }

    void configure(final Optional<Bus> bus) {
        configuration = bus;
        listener.onDataTreeChanged(List.of());
    }

    <T extends Rpc<?, ?>> T rpc(final Class<T> type) {
        return rpcs.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
    }

    private Object broker(final String method, final Object[] arguments) {
        return switch (method) {
            case "registerTreeChangeListener" -> {
                listener = (DataTreeChangeListener<?>) arguments[2];
                yield (Registration) () -> { };
            }
            case "newReadOnlyTransaction" -> proxy(ReadTransaction.class, (name, place) -> name.equals("read")
                ? FluentFuture.from(Futures.immediateFuture(configuration)) : null);
            case "newWriteOnlyTransaction" -> proxy(WriteTransaction.class, this::transaction);
            default -> throw new UnsupportedOperationException(method);
        };
    }

    private Object transaction(final String method, final Object[] arguments) {
        switch (method) {
            case "put" -> shown.add(Optional.of((Bus) arguments[2]));
            case "delete" -> shown.add(Optional.empty());
            default -> { }
        }
        return method.equals("commit") ? CommitInfo.emptyFluentFuture() : null;
    }

    private Object provider(final String method, final Object[] arguments) {
        rpcs.addAll(Arrays.asList((Rpc<?, ?>[]) arguments[0]));
        return (Registration) rpcs::clear;
    }

    private static <T> T proxy(final Class<T> type, final Method method) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (proxy, called, arguments) -> method.call(called.getName(), arguments)));
    }

    private interface Method {
        Object call(String name, Object[] arguments);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.Notification;
import org.opendaylight.yangtools.binding.Rpc;
import org.opendaylight.yangtools.concepts.Registration;

/** The OpenFlow plugin's RPCs, as a test provides them, and the one listener to its notifications. */
final class FakePlugin implements RpcService, NotificationService {
    private final Map<Class<?>, Rpc<?, ?>> rpcs = new HashMap<>();
    private CompositeListener listener;

    <R extends Rpc<?, ?>> FakePlugin provide(final Class<R> type, final R rpc) {
        rpcs.put(type, rpc);
        return this;
    }

    /** Tells the listener. */
    void publish(final Notification<?> notification) {
        listener.constituents().forEach(component -> tell(component, notification));
    }

    @Override
    public <R extends Rpc<?, ?>> R getRpc(final Class<R> type) {
        return type.cast(rpcs.get(type));
    }

    @Override
    public Registration registerCompositeListener(final CompositeListener composite, final Executor executor) {
        listener = composite;
        return () -> listener = null;
    }

    @Override
    public Registration registerCompositeListener(final CompositeListener composite) {
        return registerCompositeListener(composite, Runnable::run);
    }

    @Override
    public <N extends Notification<N> & DataObject> Registration registerListener(final Class<N> type,
            final Listener<N> single, final Executor executor) {
        throw new UnsupportedOperationException("nobody listens to one kind alone");
    }

    private static <N extends Notification<N> & DataObject> void tell(final CompositeListener.Component<N> component,
            final Notification<?> notification) {
        if (component.type().isInstance(notification)) {
            component.listener().onNotification(component.type().cast(notification));
        }
    }
}

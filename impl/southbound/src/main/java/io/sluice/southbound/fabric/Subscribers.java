// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Subscription;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who want to be told; told one value at a time by one thread. {@link #add} and closing are thread-safe. */
final class Subscribers<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Subscribers.class);

    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

    /** A listener and whether it still wants to hear; closing waits for a call that is under way. */
    private final class Subscriber implements Subscription {
        private final Consumer<T> listener;
        private boolean closed;

        Subscriber(final Consumer<T> listener) {
            this.listener = listener;
        }

        synchronized void tell(final T value) {
            if (closed) {
                return;
            }
            try {
                listener.accept(value);
            } catch (RuntimeException e) {
                LOG.error("a subscriber failed; it stays subscribed", e);
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            subscribers.remove(this);
        }
    }

    Subscription add(final Consumer<T> listener) {
        final var subscriber = new Subscriber(listener);
        subscribers.add(subscriber);
        return subscriber;
    }

    void tell(final T value) {
        subscribers.forEach(subscriber -> subscriber.tell(value));
    }
}

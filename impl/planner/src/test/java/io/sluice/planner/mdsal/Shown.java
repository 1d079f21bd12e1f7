// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.Futures;
import io.sluice.mdsal.Notifier;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.Notification;

/** What a planner shows and tells: the datastore and the subscriber of tests. */
final class Shown {
    static final long LIMIT_S = 60;

    /** What was put or merged, and the paths of what was deleted, in order; nothing of what was refused. */
    final List<Object> written = new CopyOnWriteArrayList<>();
    final BlockingQueue<Notification<?>> told = new LinkedBlockingQueue<>();
    /** How many of the next transactions are refused. */
    final AtomicInteger refusals;
    /** Whether nobody can be told anything. */
    volatile boolean isDeaf;
    private final StateWriter writer;

    Shown() {
        this(0);
    }

    /** Refuses some transactions first. */
    Shown(final int refusals) {
        this.refusals = new AtomicInteger(refusals);
        writer = new StateWriter(broker());
    }

    PlanPublisher publisher() {
        return new PlanPublisher(writer, new PlannerEvents(notifier()), InstantSource.fixed(Instant.EPOCH));
    }

    Notifier notifier() {
        return new Notifier(fake(NotificationPublishService.class, (proxy, method, arguments) -> {
            if (isDeaf) {
                throw new IllegalStateException("nobody listens");
            }
            told.add((Notification<?>) arguments[0]);
            return null;
        }));
    }

    /** Waits until all is written that was to be, or has been refused once. */
    Shown settled() throws InterruptedException {
        final var done = new CountDownLatch(1);
        writer.repeat(() -> {
            done.countDown();
            return true;
        });
        done.await();
        return this;
    }

    /** Waits for something that is to come. */
    static void await(final BooleanSupplier isThere) throws InterruptedException {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        while (!isThere.getAsBoolean()) {
            assertTrue(System.nanoTime() < endNs, "nothing came");
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private DataBroker broker() {
        return fake(DataBroker.class, (proxy, method, arguments) -> transaction());
    }

    WriteTransaction transaction() {
        final var changes = new ArrayList<>();
        return fake(WriteTransaction.class, (transaction, call, values) -> switch (call.getName()) {
            case "put", "merge" -> changes.add(values[2]) ? null : null;
            case "delete" -> changes.add((DataObjectIdentifier<?>) values[1]) ? null : null;
            case "commit" -> committed(changes);
            default -> null;
        });
    }

    private FluentFuture<?> committed(final List<Object> changes) {
        if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return FluentFuture.from(Futures.immediateFailedFuture(new IllegalStateException("no leader")));
        }
        written.addAll(changes);
        return CommitInfo.emptyFluentFuture();
    }

    static <T> T fake(final Class<T> type, final InvocationHandler behaviour) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, behaviour));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Subscription;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;

/** A node of the bus: one connection to its site's proxy. Thread-safe. */
public final class ZmqBus implements Bus, AutoCloseable {
    private final Object lock = new Object();
    private final Outbox outbound;
    private final ConcurrentLinkedQueue<Runnable> deliveries = new ConcurrentLinkedQueue<>();
    private final NodeCore core;
    private final Loop loop;
    private final Dealer dealer;
    private long malformed;

    /**
     * Connects, and keeps trying to.
     *
     * @param proxy the address and key of the site's proxy
     * @param epoch above all of the node's earlier starts, from {@link EpochFile}
     */
    public ZmqBus(final NodeName name, final Remote proxy, final CurveKeys keys, final BusLimits limits,
            final long epoch) {
        outbound = new Outbox(limits.queue());
        core = new NodeCore(name, epoch, limits, this::queue, deliveries::add, this::guarded);
        loop = new Loop("sluice-bus-" + name, this::tick, this::flush);
        dealer = new Dealer(loop, limits.queue(), proxy, keys, frame -> guarded(() -> core.receive(frame)),
            () -> guarded(() -> malformed++));
        loop.start();
    }

    private void tick() {
        dealer.tick(link().up());
        guarded(core::tick);
    }

    /** Uses other keys or another proxy from now on: connects anew, and mends what was under way. */
    public void reconnect(final Remote proxy, final CurveKeys keys) {
        loop.execute(() -> {
            synchronized (lock) {
                dealer.reopen(proxy, keys);
                outbound.clear();
                core.reconnect();
            }
        });
    }

    private boolean queue(final Frame frame) {
        final boolean taken = outbound.offer(frame);
        if (taken) {
            loop.wakeUp();
        }
        return taken;
    }

    private void guarded(final Runnable task) {
        synchronized (lock) {
            task.run();
        }
    }

    private boolean flush() {
        for (var delivery = deliveries.poll(); delivery != null; delivery = deliveries.poll()) {
            Loop.guardThread(delivery);
        }
        synchronized (lock) {
            outbound.drain(dealer::send);
            return core.drain() || !outbound.isEmpty();
        }
    }

    @Override
    public Publication publish(final Topic topic, final String body) {
        synchronized (lock) {
            return core.publish(topic, body);
        }
    }

    @Override
    public Subscription subscribe(final TopicFilter filter, final Listener listener) {
        synchronized (lock) {
            final var subscription = core.subscribe(filter, listener);
            loop.wakeUp();
            return () -> guarded(subscription::close);
        }
    }

    @Override
    public CompletionStage<Answer> request(final NodeName node, final String body) {
        synchronized (lock) {
            return core.requests().request(node, body);
        }
    }

    @Override
    public Subscription handle(final BiFunction<NodeName, String, CompletionStage<String>> handler) {
        synchronized (lock) {
            final var subscription = core.requests().handle(handler);
            return () -> guarded(subscription::close);
        }
    }

    /** Returns what an operator can see of the connection to the proxy. */
    public LinkState link() {
        synchronized (lock) {
            return core.link();
        }
    }

    /** Returns what an operator can see of the node. */
    NodeState state() {
        synchronized (lock) {
            return new NodeState(core.link(), core.duplicates(), core.gaps(), malformed);
        }
    }

    /** Returns whether nothing more comes of this. */
    boolean hasEnded() {
        return loop.hasEnded();
    }

    /**
     * Ends the connection. Requests that nobody answered have timed out when this returns, and whatever is asked or
     * published later is refused. What was published may not have been sent.
     */
    @Override
    public void close() {
        loop.close();
        guarded(core::close);
        for (var delivery = deliveries.poll(); delivery != null; delivery = deliveries.poll()) {
            Loop.guard(delivery);
        }
    }
}

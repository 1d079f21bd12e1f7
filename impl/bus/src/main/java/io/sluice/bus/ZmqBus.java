// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Subscription;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;

/** A node of the bus: one connection to its site's proxy. Thread-safe. */
public final class ZmqBus implements Bus, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZmqBus.class);

    private final Object lock = new Object();
    private final ArrayDeque<Frame> outbound = new ArrayDeque<>();
    private final ConcurrentLinkedQueue<Runnable> deliveries = new ConcurrentLinkedQueue<>();
    private final BusLimits limits;
    private final NodeCore core;
    private final Loop loop;
    private ZMQ.Socket dealer;

    /**
     * Connects, and keeps trying to.
     *
     * @param proxy the address and key of the site's proxy
     * @param clock gives the epoch: it must not go back from one start of the node to the next
     */
    public ZmqBus(final NodeName name, final Remote proxy, final CurveKeys keys, final BusLimits limits,
            final InstantSource clock) {
        this.limits = limits;
        core = new NodeCore(name, clock.millis(), limits, this::queue, deliveries::add, this::guarded);
        loop = new Loop("sluice-bus-" + name, () -> guarded(core::tick), this::flush);
        dealer = connect(proxy, keys);
        loop.start();
    }

    private ZMQ.Socket connect(final Remote proxy, final CurveKeys keys) {
        final var socket = loop.socket(SocketType.DEALER, this::receive);
        proxy.connect(socket, keys, limits.queue());
        loop.listen(socket);
        return socket;
    }

    /** Uses other keys or another proxy from now on: connects anew, and mends what was under way. */
    public void reconnect(final Remote proxy, final CurveKeys keys) {
        loop.execute(() -> {
            synchronized (lock) {
                loop.close(dealer);
                dealer = connect(proxy, keys);
                outbound.clear();
                core.reconnect();
            }
        });
    }

    private boolean queue(final Frame frame) {
        if (outbound.size() >= limits.queue() && !frame.kind().isOfSession()) {
            return false;
        }
        outbound.addLast(frame);
        loop.wakeUp();
        return true;
    }

    private void guarded(final Runnable task) {
        synchronized (lock) {
            task.run();
        }
    }

    private boolean receive(final ZMQ.Socket socket) {
        final byte[] octets = socket.recv(ZMQ.DONTWAIT);
        if (octets == null) {
            return false;
        }
        switch (FrameCodec.decode(octets)) {
            case FrameCodec.Decoded.Valid valid -> guarded(() -> core.receive(valid.frame()));
            case FrameCodec.Decoded.Invalid invalid -> LOG.debug("from the proxy: {}", invalid.reason());
        }
        return true;
    }

    private boolean flush() {
        for (var delivery = deliveries.poll(); delivery != null; delivery = deliveries.poll()) {
            delivery.run();
        }
        synchronized (lock) {
            while (!outbound.isEmpty() && dealer.send(FrameCodec.encode(outbound.getFirst()), ZMQ.DONTWAIT)) {
                outbound.removeFirst();
            }
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

    /** Ends the connection; requests that nobody answered time out. What was published may not have been sent. */
    @Override
    public void close() {
        loop.close();
        guarded(core.requests()::close);
        for (var delivery = deliveries.poll(); delivery != null; delivery = deliveries.poll()) {
            delivery.run();
        }
    }
}

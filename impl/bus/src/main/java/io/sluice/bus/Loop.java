// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** A thread that owns sockets: takes what arrives, runs what others give it, and ticks four times a second. */
final class Loop implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long RETRY_MS = 2;
    /** So that a fault that stays does not fill the log. */
    private static final long FAULT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int BATCH = 256;

    private final ZContext context = new ZContext();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean awake = new AtomicBoolean();
    private final ZMQ.Poller poller;
    private final Pipe wake;
    private final Runnable tick;
    private final BooleanSupplier flush;
    private final Thread thread;
    private final int wakeIndex;
    private Map<ZMQ.Socket, Predicate<ZMQ.Socket>> inlets = Map.of();
    private volatile boolean closed;

    /**
     * Makes a loop that stands still.
     *
     * @param tick what is done four times a second
     * @param flush sends what waits; returns whether something still does, and is called again soon
     */
    Loop(final String name, final Runnable tick, final BooleanSupplier flush) {
        this.tick = tick;
        this.flush = flush;
        try {
            poller = context.createPoller(4);
            wake = Pipe.open();
            wake.source().configureBlocking(false);
            wake.sink().configureBlocking(false);
        } catch (IOException e) {
            context.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
        wakeIndex = poller.register(wake.source(), ZMQ.Poller.POLLIN);
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Makes a socket; on the loop's thread, or before it starts. */
    ZMQ.Socket socket(final SocketType type, final Predicate<ZMQ.Socket> inlet) {
        final var socket = context.createSocket(type);
        socket.setLinger(0);
        final var more = new LinkedHashMap<>(inlets);
        more.put(socket, inlet);
        inlets = more;
        return socket;
    }

    /** Lets messages of the socket in; on the loop's thread, or before it starts. */
    void listen(final ZMQ.Socket socket) {
        poller.register(socket, ZMQ.Poller.POLLIN);
    }

    /** Closes a socket; on the loop's thread. */
    void close(final ZMQ.Socket socket) {
        final var fewer = new LinkedHashMap<>(inlets);
        fewer.remove(socket);
        inlets = fewer;
        poller.unregister(socket);
        socket.close();
    }

    /** Runs the task soon, on the loop's thread. Any thread may call. */
    @Override
    public void execute(final Runnable task) {
        tasks.add(task);
        wakeUp();
    }

    /** Makes the loop flush soon. Any thread may call. */
    void wakeUp() {
        if (!awake.getAndSet(true)) {
            try {
                wake.sink().write(ByteBuffer.allocate(1));
            } catch (IOException e) {
                LOG.debug("the loop is closed", e);
            }
        }
    }

    /** Returns whether the thread has ended, wanted or not. Any thread may call. */
    boolean hasEnded() {
        return thread.getState() == Thread.State.TERMINATED;
    }

    /** Runs what is not the bus's own: whatever it throws ends nothing but itself. Any thread may call. */
    static void guard(final Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("the bus goes on without a task that failed", e);
        }
    }

    /** As {@link #guard}, on the loop's thread; nobody else's interrupt may end it, or close its channels. */
    static void guardThread(final Runnable task) {
        guard(task);
        if (Thread.interrupted()) {
            LOG.warn("the bus goes on after a task that left its thread interrupted");
        }
    }

    private void run() {
        try {
            serve();
            if (!closed) {
                LOG.error("the bus's thread was interrupted, and ends");
            }
        } catch (Throwable e) {
            LOG.error("the bus's thread ends", e);
        }
    }

    private void serve() {
        long nextTickNs = System.nanoTime();
        boolean busy = false;
        boolean waiting = false;
        while (!closed && !thread.isInterrupted()) {
            final long untilTickMs = Math.max(0, TimeUnit.NANOSECONDS.toMillis(nextTickNs - System.nanoTime()));
            try {
                poller.poll(busy ? 0 : waiting ? Math.min(RETRY_MS, untilTickMs) : untilTickMs);
                slept();
                busy = receive();
                for (var task = tasks.poll(); task != null; task = tasks.poll()) {
                    guardThread(task);
                }
                if (System.nanoTime() - nextTickNs >= 0) {
                    nextTickNs = System.nanoTime() + TICK_NS;
                    tick.run();
                }
                waiting = flush.getAsBoolean();
            } catch (RuntimeException | IOException e) {
                LOG.error("the bus goes on after a fault", e);
                LockSupport.parkNanos(FAULT_PAUSE_NS);
            }
        }
    }

    /** In this order: who adds something after the flag is down wakes the loop again. */
    private void slept() throws IOException {
        if (poller.pollin(wakeIndex)) {
            wake.source().read(ByteBuffer.allocate(8));
            awake.set(false);
        }
    }

    private boolean receive() {
        boolean more = false;
        for (final var inlet : inlets.entrySet()) {
            int taken = 0;
            while (taken < BATCH && inlet.getValue().test(inlet.getKey())) {
                taken++;
            }
            more |= taken == BATCH;
        }
        return more;
    }

    /** Ends the thread and closes its sockets; what has not been sent is dropped. */
    @Override
    public void close() {
        closed = true;
        wakeUp();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        context.close();
        try {
            wake.sink().close();
            wake.source().close();
        } catch (IOException e) {
            LOG.debug("closing the wake-up pipe", e);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

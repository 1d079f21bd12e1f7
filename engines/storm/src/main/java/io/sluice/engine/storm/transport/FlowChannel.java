// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.PooledByteBufAllocator;
import org.apache.storm.shade.io.netty.channel.ChannelFuture;
import org.apache.storm.shade.io.netty.channel.ChannelHandler;
import org.apache.storm.shade.io.netty.channel.socket.SocketChannel;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One TCP connection to another worker, which is opened again when it breaks.
 *
 * <pre>
 *   DIALLING --- connected ---&gt; UP --- broken ---&gt; DOWN ---+
 *    |  keeps what is sent       ^                  ^  loses what is sent, and counts it
 *    +--- refused ---------------|----------------&gt; |      |
 *                                +--- connected ----+------+  tries again, after Storm's pauses
 *   close(): what was taken is sent, then the other end is told that nothing follows, and its end is awaited
 * </pre>
 *
 * <p>Nothing waits for room: who sends is told to stop by the {@link Valve}, and what comes all the same is kept.
 * Thread-safe.
 */
final class FlowChannel {
    private static final Logger LOG = LoggerFactory.getLogger(FlowChannel.class);
    /** Messages are written together up to this size; what waits is known in such steps. */
    private static final int BATCH_BYTES = 65_536;
    /** One that breaks sooner counts as a failed attempt. */
    private static final long LASTING_NS = 10_000_000_000L;

    private enum State { DIALLING, UP, DOWN }

    private final String name;
    private final Dialler dialler;
    private final ChannelHandler handler;
    private final Valve valve;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private final Queue<Batch> unsent = new ArrayDeque<>();
    private State state = State.DIALLING;
    private SocketChannel channel;
    private boolean closing;
    private boolean full;
    private int attempts;
    private long upSinceNs;
    private long takenBytes;
    private long pendingBytes;
    private long pendingMessages;
    private long lostMessages;
    private long toldLostMessages;

    private record Batch(ByteBuf content, int bytes, int messages) { }

    /**
     * What a connection has done so far.
     *
     * @param connection its ends; empty while there is none
     * @param takenBytes taken over to be sent, without what was lost, since the beginning
     * @param pendingBytes of these, not yet given to the kernel
     * @param pendingMessages the same in messages
     * @param lostMessages dropped since the beginning because there was no connection
     */
    record Progress(Optional<Connection> connection, long takenBytes, long pendingBytes, long pendingMessages,
        long lostMessages) { }

    /** Begins to connect. {@code handler} has what the other end sends. */
    FlowChannel(final String name, final Dialler dialler, final ChannelHandler handler, final Valve valve) {
        this.name = name;
        this.dialler = dialler;
        this.handler = handler;
        this.valve = valve;
        dial();
    }

    /** Takes messages, to be sent in this order. */
    synchronized void send(final List<TaskMessage> messages) {
        if (closing || state == State.DOWN) {
            lostMessages += messages.size();
            return;
        }
        int from = 0;
        while (from < messages.size()) {
            int to = from;
            int bytes = 0;
            while (to < messages.size() && (to == from || bytes + Frames.bytes(messages.get(to)) <= BATCH_BYTES)) {
                bytes += Frames.bytes(messages.get(to++));
            }
            take(new Batch(Frames.encode(messages.subList(from, to), bytes, PooledByteBufAllocator.DEFAULT), bytes,
                to - from));
            from = to;
        }
        review();
    }

    synchronized boolean isUp() {
        return state == State.UP && !closing;
    }

    synchronized Progress progress() {
        final var connection = Optional.ofNullable(channel).map(open ->
            new Connection(Endpoint.of(open.localAddress()), Endpoint.of(open.remoteAddress())));
        return new Progress(connection, takenBytes, pendingBytes, pendingMessages, lostMessages);
    }

    /** Sends what was taken, and ends. */
    synchronized CompletionStage<Void> close() {
        closing = true;
        if (state == State.DOWN) {
            ended.complete(null);
        }
        review();
        return ended;
    }

    private void take(final Batch batch) {
        takenBytes += batch.bytes;
        pendingBytes += batch.bytes;
        pendingMessages += batch.messages;
        if (state == State.UP) {
            write(batch);
        } else {
            unsent.add(batch);
        }
    }

    private void write(final Batch batch) {
        channel.writeAndFlush(batch.content).addListener(written -> left(batch, written));
    }

    private synchronized void left(final Batch batch, final Future<?> written) {
        pendingBytes -= batch.bytes;
        pendingMessages -= batch.messages;
        if (!written.isSuccess()) {
            takenBytes -= batch.bytes;
            lostMessages += batch.messages;
        }
        review();
    }

    private void dial() {
        dialler.dial(handler).addListener((ChannelFuture dialled) -> {
            if (dialled.isSuccess()) {
                connected((SocketChannel) dialled.channel());
            } else {
                refused(dialled.cause());
            }
        });
    }

    private synchronized void connected(final SocketChannel open) {
        if (ended.isDone()) {
            open.close();
            return;
        }
        LOG.debug("{} goes over {}", name, open);
        tellLoss();
        channel = open;
        state = State.UP;
        upSinceNs = dialler.nowNs().getAsLong();
        unsent.forEach(this::write);
        unsent.clear();
        open.closeFuture().addListener(closed -> broken());
        review();
    }

    private synchronized void refused(final Throwable cause) {
        if (attempts++ == 0) {
            LOG.error("{} can't connect to {}, and tries again: {}", name, dialler, cause.toString());
        }
        for (var batch : unsent) {
            batch.content.release();
            pendingBytes -= batch.bytes;
            pendingMessages -= batch.messages;
            takenBytes -= batch.bytes;
            lostMessages += batch.messages;
        }
        unsent.clear();
        goDown();
    }

    private synchronized void broken() {
        attempts = dialler.nowNs().getAsLong() - upSinceNs < LASTING_NS ? attempts + 1 : 0;
        if (!closing) {
            LOG.warn("{} has lost its connection to {}, and connects again", name, dialler);
        }
        goDown();
    }

    private void goDown() {
        state = State.DOWN;
        channel = null;
        if (closing) {
            tellLoss();
            ended.complete(null);
        } else {
            dialler.later(this::dial, attempts);
        }
        review();
    }

    private void tellLoss() {
        if (lostMessages > toldLostMessages) {
            LOG.warn("{} dropped {} messages while it had no connection to {}", name,
                lostMessages - toldLostMessages, dialler);
            toldLostMessages = lostMessages;
        }
    }

    /** Opens or closes the valve; the last byte that is the kernel's ends a connection that is to be closed. */
    private void review() {
        if (!full && pendingBytes > valve.highBytes()) {
            full = true;
            valve.close();
        } else if (full && pendingBytes <= valve.lowBytes()) {
            full = false;
            valve.open();
        }
        if (closing && pendingBytes == 0 && state == State.UP) {
            channel.shutdownOutput();
        }
    }
}

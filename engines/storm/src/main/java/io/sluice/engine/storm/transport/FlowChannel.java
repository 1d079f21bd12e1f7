// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.transport.KernelQueues.Waiting;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.PooledByteBufAllocator;
import org.apache.storm.shade.io.netty.channel.ChannelException;
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
    /**
     * Messages are encoded together up to this size, and handed to Netty in pieces of it at most: without a pace, what
     * waits is known in such steps. Netty has two at most, so that the kernel always finds the next, and a pace that is
     * set waits for no more than these.
     */
    static final int BATCH_BYTES = 65_536;
    /** Who waits for his turn looks so often whether the pace has changed. */
    private static final long LONGEST_WAIT_NS = 100_000_000L;
    /** One that breaks sooner counts as a failed attempt. */
    private static final long LASTING_NS = 10_000_000_000L;

    private enum State { DIALLING, UP, DOWN }

    private final String name;
    private final Dialler dialler;
    private final ChannelHandler handler;
    private final Valve valve;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private final Queue<Batch> unsent = new ArrayDeque<>();
    private final Pace pace = new Pace();
    /** A turn is to come, in which it is looked anew what may be written. */
    private boolean awaitsTurn;
    /** Handed to Netty, but not yet given to the kernel. */
    private int handedBytes;
    /** Given to the kernel, which was last seen to have no acknowledgement of it. */
    private long heldBytes;
    private State state = State.DIALLING;
    private SocketChannel channel;
    private boolean closing;
    private boolean full;
    private int attempts;
    private long upSinceNs;
    private long takenNs;
    private long takenBytes;
    private long pendingBytes;
    private long pendingMessages;
    private long lostMessages;
    private long toldLostMessages;

    private record Batch(ByteBuf content, int messages) { }

    /**
     * What a connection has done so far.
     *
     * @param connection its ends; empty while there is none
     * @param takenNs when something was last to be sent, by the clock of its {@link Dialler}
     * @param takenBytes taken over to be sent since the beginning, without what was lost: that did not get to the
     *     kernel, or that the kernel was last seen to hold when a connection broke
     * @param pendingBytes of these, not yet given to the kernel
     * @param pendingMessages the same in messages
     * @param lostMessages dropped since the beginning because there was no connection
     */
    record Progress(Optional<Connection> connection, long takenNs, long takenBytes, long pendingBytes,
            long pendingMessages, long lostMessages) {
        /** The one of two that was used last. */
        Progress orLater(final Progress other) {
            return other.takenNs - takenNs > 0 ? other : this;
        }
    }

    /** Begins to connect. {@code handler} has what the other end sends. */
    FlowChannel(final String name, final Dialler dialler, final ChannelHandler handler, final Valve valve) {
        this.name = name;
        this.dialler = dialler;
        this.handler = handler;
        this.valve = valve;
        takenNs = dialler.nowNs().getAsLong();
        dial();
    }

    /** Takes messages, to be sent in this order. */
    synchronized void send(final List<TaskMessage> messages) {
        takenNs = dialler.nowNs().getAsLong();
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
            take(new Batch(Frames.encode(messages.subList(from, to), bytes, PooledByteBufAllocator.DEFAULT),
                to - from));
            from = to;
        }
        write();
        review();
    }

    /** From now on frames are sent at this rate, or as fast as TCP does it if it is 0. */
    synchronized void pace(final long bitsPerSecond) {
        pace.set(bitsPerSecond, dialler.nowNs().getAsLong());
        fitKernel();
        write();
    }

    private void fitKernel() {
        if (state == State.UP) {
            try {
                channel.config().setSendBufferSize(Math.min(dialler.kernelBytes(), pace.kernelBytes()));
            } catch (ChannelException e) {
                LOG.debug("{} is closing", name, e);
            }
        }
    }

    synchronized boolean isUp() {
        return state == State.UP && !closing;
    }

    synchronized Progress progress() {
        return new Progress(connection(), takenNs, takenBytes, pendingBytes, pendingMessages, lostMessages);
    }

    /** Tells what the kernel is seen to hold, by connection: if this one breaks, its part is lost. */
    synchronized void held(final Map<Connection, Waiting> kernel) {
        heldBytes = connection().map(kernel::get).map(Waiting::unacknowledgedBytes).orElse(heldBytes);
    }

    private Optional<Connection> connection() {
        return Optional.ofNullable(channel).map(open ->
            new Connection(Endpoint.of(open.localAddress()), Endpoint.of(open.remoteAddress())));
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
        takenBytes += batch.content.readableBytes();
        pendingBytes += batch.content.readableBytes();
        pendingMessages += batch.messages;
        unsent.add(batch);
    }

    /**
     * Writes what the pace lets through now, and the rest later; with a pace, not before the kernel has taken all. Only
     * the connection's thread does so: what others give to Netty comes after what that thread writes meanwhile.
     */
    private void write() {
        while (state == State.UP && !unsent.isEmpty() && !awaitsTurn
                && handedBytes <= (pace.isSet() ? 0 : BATCH_BYTES)) {
            final long waitNs = pace.waitNs(dialler.nowNs().getAsLong());
            if (waitNs > 0 || !channel.eventLoop().inEventLoop()) {
                awaitsTurn = true;
                channel.eventLoop().schedule(this::takeTurn, Math.min(waitNs, LONGEST_WAIT_NS), TimeUnit.NANOSECONDS);
            } else {
                write(pace.turnBytes());
            }
        }
    }

    private synchronized void takeTurn() {
        awaitsTurn = false;
        write();
    }

    private void write(final int most) {
        int written = 0;
        while (written < most && handedBytes <= BATCH_BYTES && !unsent.isEmpty()) {
            final var batch = unsent.element();
            final int bytes = Math.min(Math.min(most - written, BATCH_BYTES), batch.content.readableBytes());
            if (bytes < batch.content.readableBytes()) {
                write(batch.content.readRetainedSlice(bytes), bytes, 0);
            } else {
                unsent.remove();
                write(batch.content, bytes, batch.messages);
            }
            written += bytes;
        }
        pace.sent(written, dialler.nowNs().getAsLong());
        channel.flush();
    }

    private void write(final ByteBuf piece, final int bytes, final int messages) {
        handedBytes += bytes;
        channel.write(piece).addListener(written -> left(bytes, messages, written));
    }

    private synchronized void left(final int bytes, final int messages, final Future<?> written) {
        handedBytes -= bytes;
        forget(bytes, messages, written.isSuccess());
        write();
        review();
    }

    private void forget(final int bytes, final int messages, final boolean sent) {
        pendingBytes -= bytes;
        pendingMessages -= messages;
        if (!sent) {
            takenBytes -= bytes;
            lostMessages += messages;
        }
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
        fitKernel();
        write();
        open.closeFuture().addListener(closed -> broken());
        review();
    }

    private synchronized void refused(final Throwable cause) {
        if (attempts++ == 0) {
            LOG.error("{} can't connect to {}, and tries again: {}", name, dialler, cause.toString());
        }
        goDown();
    }

    private synchronized void broken() {
        attempts = dialler.nowNs().getAsLong() - upSinceNs < LASTING_NS ? attempts + 1 : 0;
        if (!closing) {
            LOG.warn("{} has lost its connection to {}, and connects again", name, dialler);
        }
        takenBytes = Math.max(pendingBytes, takenBytes - heldBytes);
        heldBytes = 0;
        goDown();
    }

    private void goDown() {
        state = State.DOWN;
        channel = null;
        for (var batch : unsent) {
            forget(batch.content.readableBytes(), batch.messages, false);
            batch.content.release();
        }
        unsent.clear();
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

    /**
     * Opens or closes the valve, which a connection that takes nothing more has open: its tasks may be elsewhere. The
     * last byte that is the kernel's ends one that is to be closed.
     */
    private void review() {
        if (!full && !closing && pendingBytes > valve.highBytes()) {
            full = true;
            valve.close();
        } else if (full && (closing || pendingBytes <= valve.lowBytes())) {
            full = false;
            valve.open();
        }
        if (closing && pendingBytes == 0 && state == State.UP) {
            channel.shutdownOutput();
        }
    }
}

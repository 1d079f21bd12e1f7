// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static io.sluice.engine.storm.transport.FramesTest.message;
import static io.sluice.engine.storm.transport.FramesTest.number;
import static io.sluice.engine.storm.transport.FramesTest.numbered;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.engine.storm.TaskPair;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.bootstrap.Bootstrap;
import org.apache.storm.shade.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.storm.shade.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.storm.utils.StormBoundedExponentialBackoffRetry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How soon a connection is opened again, what a pace lets through, and whom it holds back; the other end is a socket of
 * the test.
 */
@Timeout(60)
class FlowChannelTest {
    private static final int KERNEL_BYTES = 262_144;
    private static final int PATIENCE_MS = 30_000;

    private final NioEventLoopGroup threads = new NioEventLoopGroup(1);
    private final AtomicLong nowNs = new AtomicLong();
    private final List<Integer> failed = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void aConnectionThatBreaksSoonIsAFailedAttemptAndOneThatLastedIsNot() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final var channel = channel(server);
            breakAfter(server, channel, 9);
            breakAfter(server, channel, 9);
            breakAfter(server, channel, 10);
            breakAfter(server, channel, 0);
            final var last = server.accept();
            channel.close();
            last.close();
        }

        assertEquals(List.of(1, 2, 1), failed);
    }

    @Test
    void whatThePaceDoesNotLetThroughWaitsAndIsLostAsOneWithTheConnection() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final var channel = channel(server);
            try (var end = server.accept()) {
                channel.pace(100_000);
                channel.send(List.of(message(1, 2, 5000), message(1, 2, 5000)));
                for (int segment = 1; segment <= 4; segment++) {
                    assertEquals(Pace.SEGMENT_BYTES, end.getInputStream().readNBytes(Pace.SEGMENT_BYTES).length);
                    awaitPending(channel, 2 * 5006 - segment * Pace.SEGMENT_BYTES);
                    nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(124));
                }
            }
            while (channel.progress().lostMessages() == 0) {
                nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(124));
                Thread.sleep(1);
            }
            final var lost = channel.progress();
            assertEquals(0, lost.pendingBytes());
            assertEquals(0, lost.pendingMessages());
            assertEquals(2, lost.lostMessages());
            server.accept().close();
            channel.close();
        }
    }

    @Test
    void aPaceLeavesLittleToTheKernelAndWhatAStallHeldBackDoesNotComeAtOnce() throws Exception {
        try (var server = narrow(4096)) {
            final var channel = channel(server);
            try (var end = server.accept()) {
                channel.pace(1_000_000);
                channel.send(Collections.nCopies(1000, message(1, 2, 1000)));
                for (int step = 0; step < 200; step++) {
                    nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
                    Thread.sleep(1);
                }
                final var stalled = channel.progress();
                assertTrue(stalled.takenBytes() - stalled.pendingBytes() < 100_000, () -> "pending " + stalled);
                end.setSoTimeout(300);
                assertThrows(SocketTimeoutException.class, () -> end.getInputStream().readNBytes(150_000));
            }
            channel.close();
        }
    }

    /** Unpaced goes what the kernel has, and two batches; of the rest no more than the pace lets through. */
    @ParameterizedTest
    @CsvSource({"0, 1000", "0, 5000000", "100000000000, 1000"})
    void aPaceTakesHoldAlthoughABacklogOfAFasterOneWaits(final long faster, final int bytes) throws Exception {
        final int messages = 10_000_000 / bytes;
        final int all = messages * (bytes + 6);
        try (var server = narrow(50_000)) {
            final var channel = channel(server);
            try (var end = server.accept()) {
                channel.pace(faster);
                channel.send(Collections.nCopies(messages, message(1, 2, bytes)));
                nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
                awaitStall(channel);
                channel.pace(1_000_000);
                final long ahead = kernels(channel) + 2 * FlowChannel.BATCH_BYTES;
                long read = readUntilQuiet(end);
                assertTrue(read <= ahead + pacedBytes(100), read + " bytes, of which were ahead " + ahead);
                for (int step = 0; step < 20; step++) {
                    nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
                    read += end.getInputStream().readNBytes(8 * Pace.SEGMENT_BYTES).length;
                }
                read += readUntilQuiet(end);
                assertTrue(read <= ahead + pacedBytes(2100), read + " bytes, of which were ahead " + ahead);
                channel.pace(0);
                assertEquals(all - read, end.getInputStream().readNBytes((int) (all - read)).length);
                awaitPending(channel, 0);
                assertEquals(all, channel.progress().takenBytes());
            }
            channel.close();
        }
    }

    /** At 1 Mbit/s, the segment that is sent at once included. */
    private static long pacedBytes(final long ms) {
        return 1_000_000 / Byte.SIZE * ms / 1000 + Pace.SEGMENT_BYTES;
    }

    @Test
    void ofABacklogWithoutAPaceAllIsLostThatTheKernelDidNotTake() throws Exception {
        try (var server = narrow(50_000)) {
            final var channel = channel(server);
            try (var unread = server.accept()) {
                channel.send(List.of(message(1, 2, 100_000)));
                channel.send(Collections.nCopies(10_000, message(1, 2, 1000)));
                awaitStall(channel);
            }
            awaitPending(channel, 0);
            final var lost = channel.progress();
            assertEquals(0, lost.pendingMessages());
            final long batches = (lost.takenBytes() - 100_006) / (65 * 1006);
            assertEquals(10_000 - 65 * batches, lost.lostMessages());
            try (var end = server.accept()) {
                while (!channel.isUp()) {
                    Thread.sleep(1);
                }
                end.setSoTimeout(PATIENCE_MS);
                channel.send(List.of(message(1, 2, 1_000_000)));
                assertEquals(1_000_006, end.getInputStream().readNBytes(1_000_006).length);
            }
            channel.close();
        }
    }

    /** They come from one thread, and another gives the kernel what waits. */
    @Test
    void messagesKeepTheirOrderWhileTheKernelTakesThem() throws Exception {
        try (var server = narrow(50_000)) {
            final var channel = channel(server);
            try (var end = server.accept()) {
                final var sent = CompletableFuture.runAsync(() -> IntStream.range(0, 3000).forEach(number ->
                    channel.send(List.of(numbered(new TaskPair(1, 2), 20_000, number)))));
                end.setSoTimeout(PATIENCE_MS);
                final var in = new DataInputStream(new BufferedInputStream(end.getInputStream()));
                for (int number = 0; number < 3000; number++) {
                    final int task = in.readShort();
                    assertEquals(number, number(new TaskMessage(task, in.readNBytes(in.readInt()))));
                }
                sent.join();
            }
            channel.close();
        }
    }

    /** A task that has moved is sent to over another connection, and its senders must not wait for this one's end. */
    @Test
    void whoIsToCloseHoldsNobodyBackAlthoughTheOtherEndStalls() throws Exception {
        try (var server = narrow(4096)) {
            final var held = new AtomicBoolean();
            final var channel = channel(server, new NarrowValve(held));
            try (var end = server.accept()) {
                channel.send(Collections.nCopies(10_000, message(1, 2, 1000)));
                assertTrue(held.get());
                channel.close();
                assertFalse(held.get());
                assertTrue(channel.progress().pendingBytes() > NarrowValve.HIGH_BYTES, "it stalls still");
            }
        }
    }

    /** It takes little that nobody reads. */
    private static ServerSocket narrow(final int kernelBytes) throws IOException {
        final var server = new ServerSocket();
        server.setReceiveBufferSize(kernelBytes);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return server;
    }

    private static long readUntilQuiet(final Socket end) throws IOException {
        final byte[] buffer = new byte[65_536];
        long bytes = 0;
        end.setSoTimeout(500);
        try {
            for (int read = end.getInputStream().read(buffer); read >= 0; read = end.getInputStream().read(buffer)) {
                bytes += read;
            }
        } catch (SocketTimeoutException e) {
            end.setSoTimeout(PATIENCE_MS);
        }
        return bytes;
    }

    /** What both kernels have of a connection, or had. */
    private static long kernels(final FlowChannel channel) {
        final var progress = channel.progress();
        return progress.takenBytes() - progress.pendingBytes();
    }

    private static void awaitStall(final FlowChannel channel) throws InterruptedException {
        for (long before = 0; before == 0 || before != kernels(channel);) {
            before = kernels(channel);
            Thread.sleep(200);
        }
    }

    private static void awaitPending(final FlowChannel channel, final long bytes) throws InterruptedException {
        while (channel.progress().pendingBytes() != bytes) {
            Thread.sleep(1);
        }
    }

    private FlowChannel channel(final ServerSocket server) {
        return channel(server, new OpenValve());
    }

    private FlowChannel channel(final ServerSocket server, final Valve valve) {
        return new FlowChannel("flow", new Dialler(new Bootstrap().group(threads).channel(NioSocketChannel.class),
            "127.0.0.1", server.getLocalPort(), KERNEL_BYTES, pauses(), nowNs::get), Tidings.UNHEARD, valve);
    }

    /** Takes the connection that is opened, waits until it is known at this end, and lets it last so long. */
    private void breakAfter(final ServerSocket server, final FlowChannel channel, final long seconds)
            throws Exception {
        try (var end = server.accept()) {
            while (!channel.isUp()) {
                Thread.sleep(1);
            }
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        }
    }

    /** None, but it is noted for how many attempts. */
    private StormBoundedExponentialBackoffRetry pauses() {
        return new StormBoundedExponentialBackoffRetry(1, 2, -1) {
            @Override
            public long getSleepTimeMs(final int attempts, final long elapsedMs) {
                failed.add(attempts);
                return 0;
            }
        };
    }

    private static final class OpenValve implements Valve {
        @Override
        public long highBytes() {
            return Long.MAX_VALUE;
        }

        @Override
        public long lowBytes() {
            return 0;
        }

        @Override
        public void open() {
            throw new AssertionError("it was never closed");
        }

        @Override
        public void close() {
            throw new AssertionError("nothing is sent");
        }
    }

    private record NarrowValve(AtomicBoolean closed) implements Valve {
        static final long HIGH_BYTES = 100_000;

        @Override
        public long highBytes() {
            return HIGH_BYTES;
        }

        @Override
        public long lowBytes() {
            return HIGH_BYTES / 2;
        }

        @Override
        public void open() {
            closed.set(false);
        }

        @Override
        public void close() {
            closed.set(true);
        }
    }
}

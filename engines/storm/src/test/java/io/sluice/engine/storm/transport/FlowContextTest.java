// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static io.sluice.engine.storm.transport.FramesTest.number;
import static io.sluice.engine.storm.transport.FramesTest.numbered;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.TaskPair;
import io.sluice.engine.storm.transport.FlowChannel.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.messaging.ConnectionWithStatus.Status;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two workers on loopback, with Storm's own server at the receiving end, or a bare socket where it has to stall. */
@Timeout(180)
class FlowContextTest {
    private static final int TASKS = 64;
    private static final String HERE = "127.0.0.1";

    private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    private final List<FlowContext> contexts = new ArrayList<>();
    private final AtomicBoolean[] closed = IntStream.range(0, TASKS).mapToObj(task -> new AtomicBoolean())
        .toArray(AtomicBoolean[]::new);
    private final Map<TaskPair, List<Integer>> received = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        contexts.forEach(FlowContext::close);
    }

    /** Storm's serializer knows the lists that Storm makes. */
    private static BackPressureStatus status(final List<Integer> overloaded, final List<Integer> relieved) {
        return new BackPressureStatus("w", new ArrayList<>(overloaded), new ArrayList<>(relieved));
    }

    private FlowContext context() {
        conf.put(Config.STORM_MESSAGING_NETTY_FLUSH_TIMEOUT_MS, 5000);
        final var context = new FlowContext(conf, new StormMetricRegistry());
        contexts.add(context);
        return context;
    }

    private IConnection receiver(final int port) {
        return context().bind("t-1-1", port, batch -> batch.forEach(message -> received
            .computeIfAbsent(Frames.pair(message), pair -> new CopyOnWriteArrayList<>()).add(number(message))),
            () -> status(List.of(), List.of()));
    }

    private PeerConnection sender(final int port) {
        return (PeerConnection) context().connect(HERE, port, closed);
    }

    private static void await(final BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(5);
        }
    }

    private static void awaitReady(final PeerConnection sender) throws InterruptedException {
        await(() -> sender.status() == Status.Ready);
    }

    private static void send(final PeerConnection sender, final TaskPair pair, final int bytes, final int from,
            final int to) {
        sender.send(IntStream.range(from, to).mapToObj(number -> numbered(pair, bytes, number)).iterator());
    }

    @Test
    void eachPairOfTasksHasAConnectionOfItsOwnAndKeepsItsOrder() throws Exception {
        final var server = receiver(0);
        final var sender = sender(server.getPort());
        awaitReady(sender);
        final var pairs = new ArrayList<TaskPair>();
        for (int source = 1; source <= 6; source++) {
            for (int destination = 7; destination <= 12; destination++) {
                pairs.add(new TaskPair(source, destination));
            }
        }
        for (int round = 0; round < 50; round++) {
            final var mixed = new ArrayList<TaskMessage>();
            for (int each = 0; each < 20; each++) {
                final int number = round * 20 + each;
                pairs.forEach(pair -> mixed.add(numbered(pair, 100, number)));
            }
            sender.send(mixed.iterator());
        }
        await(() -> received.size() == pairs.size() && received.values().stream().allMatch(all -> all.size() == 1000));
        final var inOrder = IntStream.range(0, 1000).boxed().toList();
        received.values().forEach(all -> assertEquals(inOrder, all));
        final var connections = sender.progress().values().stream().map(flow -> flow.connection().orElseThrow())
            .collect(Collectors.toSet());
        assertEquals(pairs.size(), connections.size());
        assertEquals(Set.of(new Endpoint(HERE, server.getPort())),
            connections.stream().map(Connection::remote).collect(Collectors.toSet()));
        sender.progress().values().forEach(flow -> assertEquals(1000 * 106, flow.takenBytes()));
    }

    @Test
    void whatTheSystemSendsArrivesAndIsNoFlow() throws Exception {
        final var server = receiver(0);
        final var sender = sender(server.getPort());
        final var pair = new TaskPair(TaskPair.SYSTEM, 3);
        send(sender, pair, 50, 0, 10);
        await(() -> received.getOrDefault(pair, List.of()).size() == 10);
        assertEquals(Map.of(), sender.progress());
    }

    @Test
    void tuplesBiggerThanABatchArriveWhole() throws Exception {
        final var sender = sender(receiver(0).getPort());
        final var pair = new TaskPair(1, 2);
        send(sender, pair, 3_000_000, 0, 3);
        await(() -> received.getOrDefault(pair, List.of()).size() == 3);
        assertEquals(List.of(0, 1, 2), received.get(pair));
    }

    @Test
    void backPressureAndLoadsOfTheReceiverReachTheSender() throws Exception {
        final var server = receiver(0);
        final var sender = sender(server.getPort());
        awaitReady(sender);
        await(() -> {
            server.sendBackPressureStatus(status(List.of(2, 3), List.of(4)));
            return closed[2].get();
        });
        assertTrue(closed[3].get());
        assertFalse(closed[4].get());
        server.sendBackPressureStatus(status(List.of(3), List.of(2, 4)));
        await(() -> !closed[2].get());
        assertTrue(closed[3].get());
        server.sendLoadMetrics(new HashMap<>(Map.of(2, 0.25, 3, 1.0)));
        await(() -> !sender.getLoad(List.of(2)).isEmpty());
        assertEquals(0.25, sender.getLoad(List.of(2, 9)).get(2).getBoltLoad());
        assertEquals(Set.of(2), sender.getLoad(List.of(2, 9)).keySet());
    }

    @Test
    void ofAPairThatMovesItIsToldWhereItGoesNow() throws Exception {
        final var pair = new TaskPair(1, 2);
        final var context = context();
        final var stays = receiver(0);
        final var goes = receiver(0);
        final var toStays = (PeerConnection) context.connect(HERE, stays.getPort(), closed);
        final var toGoes = (PeerConnection) context.connect(HERE, goes.getPort(), closed);
        final var sampler = new FlowSampler("t-1-1", new Endpoint("w", 1), () -> List.of(toStays, toGoes),
            new Arrivals(batch -> { }), task -> 0);
        for (var peer : List.of(toStays, toGoes, toStays)) {
            awaitReady(peer);
            send(peer, pair, 100, 0, 1);
            await(() -> peer.progress().get(pair).connection().isPresent());
            assertEquals(List.of(peer.getPort()), ports(sampler));
        }
        send(toGoes, pair, 100, 0, 1);
        toGoes.close();
        assertEquals(List.of(stays.getPort()), ports(sampler));
    }

    private static List<Integer> ports(final FlowSampler sampler) throws IOException {
        return sampler.sample().sent().stream().map(sent -> sent.connection().remote().port()).toList();
    }

    @Test
    void queuesOfAFlowIncludeTheKernelsAndStopTheSendersOfItsTaskOnly() throws Exception {
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_HIGH_WATERMARK, 400_000);
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_LOW_WATERMARK, 200_000);
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_SIZE, 100_000);
        final var stalled = new TaskPair(1, 2);
        try (var listener = new ServerSocket()) {
            listener.setReceiveBufferSize(50_000);
            listener.bind(new java.net.InetSocketAddress(HERE, 0));
            final var sender = sender(listener.getLocalPort());
            final var control = listener.accept();
            awaitReady(sender);
            send(sender, stalled, 1000, 0, 1);
            final var accepted = listener.accept();
            int sent = 1;
            while (!closed[2].get()) {
                send(sender, stalled, 1000, sent, sent + 50);
                sent += 50;
                Thread.sleep(1);
            }
            final var sampler = new FlowSampler("t-1-1", new Endpoint("w", 1), () -> List.of(sender),
                new Arrivals(batch -> { }), task -> 0);
            final var flow = sampler.sample().sent().get(0);
            final var progress = sender.progress().get(stalled);
            assertEquals(stalled, flow.pair());
            assertTrue(progress.pendingBytes() > 400_000, progress.toString());
            assertTrue(flow.queuedBytes() > progress.pendingBytes(), "of the kernel too: " + flow);
            assertEquals(sent * 1006L, flow.passedBytes() + flow.queuedBytes());
            assertFalse(closed[3].get());
            final var other = new TaskPair(1, 3);
            send(sender, other, 1000, 0, 1);
            assertEquals(1006, listener.accept().getInputStream().readNBytes(1006).length);
            assertEquals(sent * 1006L, drain(accepted, sent * 1006L));
            await(() -> !closed[2].get());
            await(() -> sender.progress().get(stalled).pendingBytes() == 0);
            assertEquals(0, sender.progress().get(stalled).lostMessages());
            sender.close();
            accepted.close();
            control.close();
        }
    }

    private static long drain(final Socket socket, final long bytes) throws Exception {
        final InputStream in = socket.getInputStream();
        final byte[] buffer = new byte[65_536];
        long read = 0;
        while (read < bytes) {
            read += in.read(buffer);
        }
        return read;
    }

    @Test
    void aFlowComesBackAfterItsReceiverDidAndCountsWhatWasLost() throws Exception {
        final var pair = new TaskPair(1, 2);
        final var server = receiver(0);
        final int port = server.getPort();
        final var sender = sender(port);
        send(sender, pair, 100, 0, 10);
        await(() -> received.getOrDefault(pair, List.of()).size() == 10);
        contexts.remove(0).close();
        await(() -> sender.status() == Status.Connecting && sender.progress().get(pair).connection().isEmpty());
        send(sender, pair, 100, 10, 17);
        assertEquals(7, sender.progress().get(pair).lostMessages());
        assertEquals(10 * 106, sender.progress().get(pair).takenBytes());
        receiver(port);
        await(() -> sender.status() == Status.Ready && sender.progress().get(pair).connection().isPresent());
        send(sender, pair, 100, 17, 20);
        await(() -> received.get(pair).size() == 13);
        assertEquals(List.of(17, 18, 19), received.get(pair).subList(10, 13));
        assertEquals(7, sender.progress().get(pair).lostMessages());
    }

    @Test
    void aTaskThatMovedIsNotLetGoByTheConnectionThatItHadBefore() throws Exception {
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_HIGH_WATERMARK, 100_000);
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_LOW_WATERMARK, 50_000);
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_SIZE, 50_000);
        final var pair = new TaskPair(1, 2);
        final var after = receiver(0);
        final var senders = context();
        try (var before = new ServerSocket(0, 5, InetAddress.getByName(HERE))) {
            final var old = (PeerConnection) senders.connect(HERE, before.getLocalPort(), closed);
            final var control = before.accept();
            send(old, pair, 1000, 0, 1);
            final var stalled = before.accept();
            while (!closed[2].get()) {
                send(old, pair, 1000, 0, 100);
                Thread.sleep(1);
            }
            awaitReady((PeerConnection) senders.connect(HERE, after.getPort(), closed));
            await(() -> {
                after.sendBackPressureStatus(status(List.of(2, 3), List.of()));
                return closed[3].get();
            });
            stalled.close();
            control.close();
            await(() -> old.progress().get(pair).pendingBytes() == 0);
            assertTrue(closed[2].get());
            after.sendBackPressureStatus(status(List.of(), List.of(2, 3)));
            await(() -> !closed[2].get());
            old.close();
        }
    }

    @Test
    void messagesAreNotLostBecauseAConnectionIsNotYetThere() throws Exception {
        final var sender = sender(receiver(0).getPort());
        final var pair = new TaskPair(1, 2);
        send(sender, pair, 100, 0, 500);
        await(() -> received.getOrDefault(pair, List.of()).size() == 500);
    }

    @Test
    void whenNobodyListensMessagesAreCountedAsLostAndNoTaskIsHeldBack() throws Exception {
        final int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        final var sender = sender(port);
        final var pair = new TaskPair(1, 2);
        send(sender, pair, 100, 0, 5);
        await(() -> sender.progress().get(pair).lostMessages() == 5);
        assertEquals(Status.Connecting, sender.status());
        assertEquals(0, sender.progress().get(pair).pendingBytes());
        assertFalse(closed[2].get());
    }

    @Test
    void whatIsSentAfterTheEndIsLostAndKeepsNothingOpen() throws Exception {
        final var sender = sender(receiver(0).getPort());
        awaitReady(sender);
        sender.close();
        final var late = new TaskPair(1, 30);
        send(sender, late, 100, 0, 3);
        assertEquals(3, sender.progress().get(late).lostMessages());
        await(() -> sender.closed().isDone());
        assertEquals(Map.of(), received);
    }

    @Test
    void whatWasTakenIsSentBeforeAConnectionCloses() throws Exception {
        final var sender = sender(receiver(0).getPort());
        final var pairs = IntStream.range(10, 20).mapToObj(task -> new TaskPair(1, task)).toList();
        pairs.forEach(pair -> send(sender, pair, 2000, 0, 1000));
        sender.close();
        contexts.remove(1).close();
        assertEquals(Status.Closed, sender.status());
        await(() -> received.values().stream().mapToInt(List::size).sum() == 10_000);
        send(sender, pairs.get(0), 100, 0, 3);
        assertEquals(3, sender.progress().get(pairs.get(0)).lostMessages());
    }

    @ParameterizedTest
    @ValueSource(strings = {"storm.messaging.netty.authentication", "storm.messaging.netty.tls.enable"})
    void whatIsNotOfferedIsRefusedByName(final String key) {
        conf.put(key, true);
        final var refusal = assertThrows(IllegalArgumentException.class, this::context);
        assertTrue(refusal.getMessage().startsWith(key + " is true"), refusal.getMessage());
    }

    @Test
    void watermarksInTheWrongOrderAreRefusedByName() {
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_HIGH_WATERMARK, 1000);
        final var refusal = assertThrows(IllegalArgumentException.class, () -> sender(1));
        assertTrue(refusal.getMessage().startsWith(Config.STORM_MESSAGING_NETTY_BUFFER_LOW_WATERMARK + " is 8388608,"),
            refusal.getMessage());
    }

    @Test
    void flowsToOneWorkerShareWhatMayWait() throws Exception {
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_HIGH_WATERMARK, 1_000_000);
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_LOW_WATERMARK, 500_000);
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_SIZE, 20_000);
        final var held = new HashSet<Socket>();
        try (var listener = new ServerSocket()) {
            listener.setReceiveBufferSize(20_000);
            listener.bind(new java.net.InetSocketAddress(HERE, 0));
            final var sender = sender(listener.getLocalPort());
            held.add(listener.accept());
            for (int task = 2; task < 12; task++) {
                send(sender, new TaskPair(1, task), 100, 0, 1);
                held.add(listener.accept());
            }
            int sent = 0;
            while (!closed[2].get()) {
                send(sender, new TaskPair(1, 2), 1000, 0, 10);
                sent += 10_000;
                assertTrue(sent < 1_000_000, "a tenth of the limit is its share");
                Thread.sleep(1);
            }
            final Progress flow = sender.progress().get(new TaskPair(1, 2));
            assertTrue(flow.pendingBytes() > 100_000 && flow.pendingBytes() < 200_000, flow.toString());
            sender.close();
            for (var socket : held) {
                socket.close();
            }
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.southbound.ovsdb.QueueTalk.Look;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets Open vSwitches connect with their databases ({@code ovs-vsctl set-manager tcp:CONTROLLER:6640}). */
final class OvsdbListener implements Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(OvsdbListener.class);
    private static final int MAX_CONNECTIONS = 1024;
    /** A database tells of some 70 bytes for each queue, twice while they change. */
    private static final int MAX_MESSAGE = 16 << 20;
    private static final int ASK_EVERY_MS = 5000;
    /** Nobody waits longer for an answer. */
    private static final int ANSWER_MS = 3000;
    /** A database answers each question; one that is silent for so long is gone. */
    private static final int SILENCE_MS = 4 * ASK_EVERY_MS;
    /** What keeps it from accepting, such as too many open files, lasts for a while. */
    private static final long PAUSE_NS = 1_000_000_000;

    private final ServerSocket server;
    private final Predicate<SwitchId> ours;
    private final BiConsumer<SwitchId, FailMode> listener;
    private final Supplier<Optional<WantedQueues>> queues;
    private final Function<PortId, Optional<Bandwidth>> capacities;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Map<OvsdbPeer, Socket> peers = new ConcurrentHashMap<>();

    /**
     * Starts to listen.
     *
     * @param port TCP port; 0 for any
     * @param ours whether a switch is attached to this controller
     * @param listener is told of each change of a switch's mode
     * @param queues that ports should have; empty if that is not for this controller to say
     * @param capacities of ports, as far as they are known
     * @throws IOException if the port is taken
     */
    OvsdbListener(final int port, final Predicate<SwitchId> ours, final BiConsumer<SwitchId, FailMode> listener,
            final Supplier<Optional<WantedQueues>> queues, final Function<PortId, Optional<Bandwidth>> capacities)
            throws IOException {
        server = new ServerSocket(port);
        this.ours = ours;
        this.listener = listener;
        this.queues = queues;
        this.capacities = capacities;
        Thread.ofVirtual().name("sluice-ovsdb").start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /**
     * Has all that are connected make their queues. One that has not answered after a few seconds is let go: it would
     * keep all others waiting again.
     */
    CompletionStage<List<Look>> settle() {
        final var looks = peers.entrySet().stream().map(peer ->
            CompletableFuture.supplyAsync(peer.getKey()::settle, Thread::startVirtualThread)
                .thenCompose(Function.identity()).orTimeout(ANSWER_MS, TimeUnit.MILLISECONDS)
                .exceptionally(failure -> {
                    LOG.warn("ovsdb-silent peer={}", peer.getValue());
                    closeQuietly(peer.getValue());
                    return Look.NOTHING;
                })).toList();
        return CompletableFuture.allOf(looks.toArray(CompletableFuture[]::new))
            .thenApply(done -> looks.stream().map(CompletableFuture::join).toList());
    }

    @Override
    public void close() {
        closeQuietly(server);
        connections.forEach(OvsdbListener::closeQuietly);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                final var socket = server.accept();
                if (connections.size() < MAX_CONNECTIONS && connections.add(socket)) {
                    Thread.ofVirtual().name("sluice-ovsdb").start(() -> converse(socket));
                } else {
                    LOG.warn("ovsdb-refused peer={} connections={}", socket, MAX_CONNECTIONS);
                    closeQuietly(socket);
                }
            } catch (IOException e) {
                if (!server.isClosed()) {
                    LOG.warn("ovsdb-unaccepted reason=\"{}\"", e.getMessage());
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        }
    }

    private void converse(final Socket socket) {
        final var peer = new OvsdbPeer(message -> send(socket, message), ours, listener, queues, capacities);
        peers.put(peer, socket);
        final var asker = Thread.ofVirtual().name("sluice-ovsdb-asker").start(() -> askOften(peer));
        try (socket) {
            socket.setSoTimeout(SILENCE_MS);
            final var characters = new BoundedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), MAX_MESSAGE);
            final var messages = new JsonReader(characters);
            messages.setStrictness(Strictness.LENIENT);
            while (true) {
                peer.received(JsonParser.parseReader(messages).getAsJsonObject());
                characters.refill();
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("ovsdb-closed peer={}", socket, e);
        } finally {
            asker.interrupt();
            connections.remove(socket);
            peers.remove(peer);
            peer.gone();
        }
    }

    private static void askOften(final OvsdbPeer peer) {
        try {
            while (true) {
                peer.ask();
                Thread.sleep(ASK_EVERY_MS);
            }
        } catch (InterruptedException | UncheckedIOException e) {
            LOG.trace("asked enough", e);
        }
    }

    private static void send(final Socket socket, final JsonObject message) {
        try {
            socket.getOutputStream().write(message.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void closeQuietly(final AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            LOG.debug("could not close {}", socket, e);
        }
    }
}

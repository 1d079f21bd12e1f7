// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.zeromq.ZMQException;

/** The bus inside a process, configured while it runs. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EmbeddedBusTest {
    private static final Topic TOPIC = new Topic("/c1/site_A_forwarders");
    private static final String HERE = "127.0.0.1";

    @TempDir
    private Path folder;

    private final List<Bus> offered = new ArrayList<>();
    private final List<Bus> withdrawn = new ArrayList<>();
    private final Map<String, String> allowed = new HashMap<>();
    private EmbeddedBus embedded;

    private EmbeddedBus start() {
        embedded = new EmbeddedBus(folder.resolve("bus"), InstantSource.system(), bus -> {
            offered.add(bus);
            return () -> withdrawn.add(bus);
        });
        return embedded;
    }

    @AfterEach
    void stop() {
        embedded.close();
        assertEquals(offered, withdrawn);
    }

    private SiteConfig config(final String site, final int port) {
        return new SiteConfig(site, HERE, port, new AllowList(allowed), Map.of());
    }

    private EmbeddedBus opened() {
        start().configure(Optional.of(config("A", 0)));
        awaitOwnNode();
        return embedded;
    }

    private void awaitOwnNode() {
        Sites.until(() -> state().node().link().up());
    }

    private BusState state() {
        return embedded.state().toCompletableFuture().join().orElseThrow();
    }

    private ZmqBus node(final String name, final CurveKeys keys) {
        return new ZmqBus(NodeName.of(name), new Remote(embedded.proxy().orElseThrow().address(), state().publicKey()),
            keys, BusLimits.DEFAULT, 1);
    }

    private CurveKeys allow(final String name) {
        final var keys = CurveKeys.generate();
        allowed.put(keys.publicKey(), name);
        return keys;
    }

    @Test
    void nothingIsThereUntilItIsConfigured() {
        start().retry();

        assertTrue(embedded.proxy().isEmpty());
        assertTrue(embedded.node().isEmpty());
        assertTrue(embedded.state().toCompletableFuture().join().isEmpty());
        assertFalse(Files.exists(folder.resolve("bus")));
        assertEquals(List.of(), offered);
    }

    @Test
    void aBusWhoseThreadHasEndedIsOpenedAnew() {
        opened();
        for (final var thread : List.of("sluice-bus-A/controller", "sluice-bus-proxy-A")) {
            final var ended = offered.getLast();
            Sites.end(thread);

            embedded.retry();

            assertNotEquals(ended, offered.getLast());
            assertEquals(Optional.empty(), embedded.fault());
            awaitOwnNode();
        }
    }

    @Test
    void theOwnNodeIsOfferedAndPublishes() {
        opened();
        final var node = offered.getFirst();
        assertEquals(Optional.of(node), embedded.node());

        assertInstanceOf(Bus.Publication.Accepted.class, node.publish(TOPIC, "{}"));

        final var proxy = embedded.proxy().orElseThrow();
        Sites.until(() -> proxy.topics(new TopicFilter("/"), 10).toCompletableFuture().join().total() == 1);
        final var read = proxy.lastValues(TOPIC).toCompletableFuture().join().getFirst();
        assertEquals(new NodeName("A", "controller"), read.stream().publisher());
        assertEquals("{}", read.body());
    }

    @Test
    void theSecretKeyIsItsOwnersAlone() throws IOException {
        opened();

        final var file = folder.resolve("bus/proxy.keys");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(CurveKeys.load(file).publicKey(), state().publicKey());
    }

    @Test
    void theKeyStaysOverARestart() {
        opened();
        final var key = state().publicKey();
        embedded.close();

        opened();

        assertEquals(key, state().publicKey());
    }

    @Test
    void aNewListLetsANodeInAndKeepsTheOthers() {
        opened();
        final long renewals = state().proxy().links().get("A/controller").renewals();
        final var keys = allow("A/forwarder");
        try (var node = node("A/forwarder", keys)) {
            Sites.until(() -> state().refusedConnections() > 0);
            final var refused = state().refusedKeys().getFirst();
            assertEquals(keys.publicKey(), refused.publicKey());
            assertTrue(refused.attempts() > 0 && refused.latest().isBefore(Instant.now()));

            embedded.configure(Optional.of(config("A", 0)));

            Sites.until(() -> node.link().up());
            assertEquals(List.of(), state().refusedKeys());
        }
        assertEquals(1, offered.size());
        assertEquals(renewals, state().proxy().links().get("A/controller").renewals());
    }

    @Test
    void anotherSiteIsAnotherBus() {
        opened();

        embedded.configure(Optional.of(config("B", 0)));

        awaitOwnNode();
        assertEquals(2, offered.size());
        assertEquals(offered.subList(0, 1), withdrawn);
        assertEquals(List.of("B/controller"), List.copyOf(state().proxy().links().keySet()));
        assertInstanceOf(Bus.Publication.Refused.class, offered.getFirst().publish(TOPIC, "{}"));
    }

    @Test
    void aProxyAtAllAddressesIsReachedFromItsOwnProcess() {
        start().configure(Optional.of(new SiteConfig("A", "0.0.0.0", 0, new AllowList(allowed), Map.of())));

        awaitOwnNode();
    }

    @Test
    void withoutAConfigurationItEnds() {
        opened();

        embedded.configure(Optional.empty());

        assertTrue(embedded.proxy().isEmpty());
        assertEquals(Optional.empty(), embedded.fault());
        assertEquals(offered, withdrawn);
    }

    @Test
    void anAddressThatIsTakenIsAFaultUntilItIsFree() {
        final int port;
        try (var other = new SiteProxy("B", "tcp://127.0.0.1:*", CurveKeys.generate(), new AllowList(Map.of()),
                BusLimits.DEFAULT)) {
            port = Integer.parseInt(other.address().substring(other.address().lastIndexOf(':') + 1));
            start().configure(Optional.of(config("A", port)));

            assertEquals("tcp://127.0.0.1:" + port + ": Address already in use, or none of this machine",
                embedded.fault().orElseThrow());
            assertTrue(embedded.state().toCompletableFuture().join().isEmpty());
        }

        Sites.until(() -> {
            embedded.retry();
            return embedded.fault().isEmpty();
        });
        awaitOwnNode();
    }

    @Test
    void aKeyThatOthersMayReadIsAFault() throws IOException {
        opened();
        embedded.close();
        Files.setPosixFilePermissions(folder.resolve("bus/proxy.keys"), PosixFilePermissions.fromString("rw-r--r--"));

        start().configure(Optional.of(config("A", 0)));

        assertTrue(embedded.fault().orElseThrow().contains("a secret key needs rw-------"));
        assertEquals(1, offered.size());
    }

    @Test
    void aRotatedKeyIsInTheFileAndAtWork() throws IOException {
        final var keys = allow("A/forwarder");
        opened();
        final var old = state().publicKey();
        try (var before = node("A/forwarder", keys)) {
            Sites.until(() -> before.link().up());
            final long renewals = before.link().renewals();
            final long own = state().node().link().renewals();

            final var fresh = embedded.rotate().orElseThrow();

            assertNotEquals(old, fresh);
            assertEquals(fresh, state().publicKey());
            assertEquals(fresh, CurveKeys.load(folder.resolve("bus/proxy.keys")).publicKey());
            Sites.until(() -> {
                final var node = state().node().link();
                return node.up() && node.renewals() > own;
            });
            assertEquals(renewals, before.link().renewals(), "who is connected stays");
        }
        try (var after = node("A/forwarder", keys)) {
            Sites.until(() -> after.link().up());
        }
    }

    @Test
    void aFolderThatCantBeUsedIsAFaultThatSaysWhy() throws IOException {
        Files.createFile(folder.resolve("bus"));

        start().configure(Optional.of(config("A", 0)));

        assertEquals("tcp://127.0.0.1:*: java.nio.file.FileAlreadyExistsException: " + folder.resolve("bus"),
            embedded.fault().orElseThrow());
    }

    @Test
    void aClosedBusStaysClosed() {
        opened();
        embedded.close();

        embedded.configure(Optional.of(config("A", 0)));
        embedded.retry();

        assertTrue(embedded.proxy().isEmpty());
        assertEquals(1, offered.size());
    }

    @Test
    void aNodeThatCantBeOfferedIsAFaultAndFreesThePort() throws IOException {
        final int port = freePort();
        embedded = new EmbeddedBus(folder.resolve("bus"), InstantSource.system(), bus -> {
            throw new IllegalStateException("nobody takes it");
        });

        embedded.configure(Optional.of(config("A", port)));

        assertTrue(embedded.fault().orElseThrow().endsWith("IllegalStateException: nobody takes it"));
        assertTrue(embedded.proxy().isEmpty());
        assertIsFree(port);
    }

    @Test
    void aWithdrawalThatFailsFreesThePort() throws IOException {
        final int port = freePort();
        embedded = new EmbeddedBus(folder.resolve("bus"), InstantSource.system(), bus -> () -> {
            throw new IllegalStateException("nobody had it");
        });
        embedded.configure(Optional.of(config("A", port)));
        assertTrue(embedded.proxy().isPresent());

        assertThrows(IllegalStateException.class, () -> embedded.configure(Optional.empty()));

        assertIsFree(port);
    }

    private static int freePort() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static void assertIsFree(final int port) {
        Sites.until(() -> {
            try (var proxy = new SiteProxy("B", "tcp://127.0.0.1:" + port, CurveKeys.generate(),
                    new AllowList(Map.of()), BusLimits.DEFAULT)) {
                return proxy.address().endsWith(":" + port);
            } catch (ZMQException e) {
                return false;
            }
        });
    }

    @Test
    void withoutABusThereIsNoKeyToRotate() throws IOException {
        assertEquals(Optional.empty(), start().rotate());
    }
}

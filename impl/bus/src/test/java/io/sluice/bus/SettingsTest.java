// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.zeromq.ZMQException;

/** What a proxy is told holds up nobody, cuts no more than it must, and is taken whole or not at all. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SettingsTest {
    private static final NodeName PUBLISHER = new NodeName("A", "publisher");
    private static final Topic TOPIC = new Topic("/c1/site_A_forwarders");

    /** As proc(5) has it. */
    private static final String ESTABLISHED = "01";

    private Sites sites;

    @BeforeEach
    void start() {
        sites = new Sites(BusLimits.DEFAULT, "A", "B");
    }

    @AfterEach
    void stop() {
        sites.close();
    }

    /** A proxy whose name nobody can look up; each name is asked for once in a while only. */
    private Remote stalled(final String name) {
        return new Remote("tcp://" + name + ".stalled:5570", sites.remote("B").publicKey());
    }

    private static void awaitLookup() throws InterruptedException {
        assertTrue(StalledNames.BEGUN.tryAcquire(30, TimeUnit.SECONDS));
    }

    private ProxyState stateSoon() {
        return sites.proxies.get("A").state().toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void aDeadNameServerHoldsUpOnlyWhoseNameItIs() throws InterruptedException {
        final var publisher = sites.join(PUBLISHER.toString());
        final var received = new Received();
        sites.join("B/subscriber").subscribe(TopicFilter.of(TOPIC), received);
        sites.update("A", Map.of("Z", stalled("site")));
        awaitLookup();
        try {
            assertFalse(stateSoon().links().get("Z").up());
            for (int i = 1; i <= 100; i++) {
                assertEquals(new Bus.Publication.Accepted(), publisher.publish(TOPIC, Integer.toString(i)));
            }
            received.await(new StreamId(PUBLISHER, TOPIC), 100);
        } finally {
            StalledNames.answer();
        }
    }

    @Test
    void aNodeGoesToAnotherProxyAlthoughANameIsBeingLookedUp() throws InterruptedException {
        final var keys = sites.enrol(PUBLISHER.toString());
        sites.update("A");
        try (var node = new ZmqBus(PUBLISHER, stalled("own"), keys, BusLimits.DEFAULT, 1)) {
            awaitLookup();

            node.reconnect(sites.remote("A"), keys);

            Sites.until(() -> node.link().up());
        } finally {
            StalledNames.answer();
        }
    }

    private long renewals(final String remote) {
        return stateSoon().links().get(remote).renewals();
    }

    @Test
    void anUpdateCutsTheTrunksThatChangeAndNoOther() {
        final long before = renewals("B");
        sites.enrol("A/new");

        sites.update("A", Map.of("C", new Remote("tcp://127.0.0.1:1", sites.remote("B").publicKey())));
        assertEquals(before, renewals("B"));
        assertTrue(stateSoon().links().get("B").up());

        sites.enrol("A");
        sites.update("B");
        sites.update("A");
        assertTrue(renewals("B") > before, "the key changed");
        sites.awaitTrunks();
    }

    @Test
    void aWrongUpdateChangesNothing() {
        sites.join("A/one");
        final long before = renewals("B");

        assertThrows(IllegalArgumentException.class, () -> sites.proxies.get("A").update(CurveKeys.generate(),
            new AllowList(Map.of()), Map.of("not a site", sites.remote("B"))));

        assertEquals(Set.of("A/one", "B"), stateSoon().links().keySet());
        assertEquals(before, renewals("B"));
    }

    /** Connections that the kernel has between a port that listens here and others. */
    private static long connections(final String address) {
        final var port = ":%04X".formatted(Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)));
        return Stream.of("tcp", "tcp6").map(protocol -> Path.of("/proc/self/net", protocol)).filter(Files::exists)
            .flatMap(SettingsTest::lines).map(line -> line.strip().split("\\s+"))
            .filter(words -> words[1].endsWith(port) && words[3].equals(ESTABLISHED)).count();
    }

    private static Stream<String> lines(final Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aPairOfSitesHasOneConnection() {
        Sites.until(() -> connections(sites.remote("B").address()) == 1);
        assertEquals(0, connections(sites.remote("A").address()));
        sites.join("B/one");
        Sites.until(() -> connections(sites.remote("B").address()) == 2);
    }

    @Test
    void aSiteThatWasAwayWhenItWasRemovedLeavesNothing() {
        sites.join("A/one").subscribe(new TopicFilter("/c1/site_B_x"), new Received());
        Sites.until(() -> sites.hasFilter("B", "/c1/site_B_x"));
        sites.proxies.get("A").close();
        Sites.until(() -> !sites.state("B").links().get("A").up());
        assertTrue(sites.hasFilter("B", "/c1/site_B_x"));
        sites.forget(sites.keys.get("A"));

        sites.update("B");

        assertFalse(sites.hasFilter("B", "/c1/site_B_x"));
        assertEquals(Set.of(), sites.state("B").links().keySet());
    }

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    @Test
    void anAddressThatCannotBeHadLeavesNothingBehind() {
        final var before = threads();

        for (final var taken : List.of(sites.proxies.get("A").address(), "tcp://127.0.0.1:65536")) {
            final var refusal = assertThrows(RuntimeException.class, () -> new SiteProxy("A", taken,
                sites.keys.get("A"), new AllowList(Map.of()), BusLimits.DEFAULT));
            assertTrue(refusal instanceof ZMQException || refusal instanceof IllegalArgumentException,
                refusal::toString);
        }

        Sites.until(() -> before.containsAll(threads()));
    }

    @Test
    void aClosedNodeAnswersAtOnce() {
        final var node = sites.join("A/one");
        final var underWay = node.request(new NodeName("B", "nobody"), "").toCompletableFuture();
        node.close();

        assertTrue(underWay.isDone());
        assertInstanceOf(Bus.Answer.Refused.class,
            node.request(new NodeName("B", "nobody"), "").toCompletableFuture().getNow(null));
        assertInstanceOf(Bus.Publication.Refused.class, node.publish(TOPIC, "1"));
    }
}

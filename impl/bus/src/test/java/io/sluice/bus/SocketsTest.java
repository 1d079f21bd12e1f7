// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Three sites on loopback, with CURVE. */
class SocketsTest {
    private static final NodeName PUBLISHER = new NodeName("A", "publisher");
    private static final Topic SITED = new Topic("/c1/e3/vnf_O/site_A_forwarders");
    private static final Topic EVERYWHERE = new Topic("/c1/routes");
    private static final StreamId STREAM = new StreamId(PUBLISHER, SITED);

    private Sites sites;

    private void start(final BusLimits limits) {
        sites = new Sites(limits, "A", "B", "C");
    }

    @AfterEach
    void stop() {
        sites.close();
    }

    private Received subscribe(final String node, final String filter) {
        final var received = new Received();
        sites.join(node).subscribe(new TopicFilter(filter), received);
        return received;
    }

    private void awaitFilter(final String site, final String filter) {
        Sites.until(() -> sites.hasFilter(site, filter));
    }

    private static void publish(final Bus bus, final Topic topic, final int first, final int last) {
        for (int i = first; i <= last; i++) {
            while (bus.publish(topic, Integer.toString(i)) instanceof Bus.Publication.Refused refused) {
                assertTrue(refused.busy(), refused.reason());
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
            }
        }
    }

    @Test
    void aSiteGetsOneCopyForAllItsSubscribersAndOneWithoutAnyGetsNothing() throws InterruptedException {
        start(BusLimits.DEFAULT);
        final var publisher = sites.join(PUBLISHER.toString());
        final var first = subscribe("B/one", SITED.text());
        final var second = subscribe("B/two", SITED.text());
        final var third = subscribe("B/three", "/c1/");
        awaitFilter("A", SITED.text());
        awaitFilter("A", "/c1/");

        publish(publisher, SITED, 1, 1000);

        for (final var received : new Received[] {first, second, third}) {
            received.await(STREAM, 1000);
            received.check(STREAM, 1, 1000);
        }
        assertEquals(1000, sites.state("A").links().get("B").messages());
        assertEquals(0, sites.state("A").links().get("C").messages());
        assertEquals(0, sites.state("C").streams());
    }

    @Test
    void aTopicWithoutASiteReachesEverySiteAndItsLateSubscribers() throws InterruptedException {
        start(BusLimits.DEFAULT);
        publish(sites.join(PUBLISHER.toString()), EVERYWHERE, 1, 5);
        Sites.until(() -> sites.state("C").streams() == 1);

        final var late = subscribe("C/late", EVERYWHERE.text());

        late.await(new StreamId(PUBLISHER, EVERYWHERE), 5);
    }

    @Test
    void aLateSubscriberOfAnotherSiteGetsTheLastValueAlone() throws InterruptedException {
        start(BusLimits.DEFAULT);
        publish(sites.join(PUBLISHER.toString()), SITED, 1, 100);
        Sites.until(() -> sites.state("A").streams() == 1);

        final var late = subscribe("B/late", SITED.text());

        late.await(STREAM, 100);
        assertEquals(1, late.count(STREAM));
    }

    @Test
    void whatOverflowsAQueueIsMended() throws InterruptedException {
        sites = new Sites(new BusLimits(63, 65_536, 1 << 26, 64, 1000), BusLimits.DEFAULT, "A", "B", "C");
        final var publisher = sites.join(PUBLISHER.toString());
        final var far = subscribe("B/far", SITED.text());
        final var near = subscribe("A/near", "/c1/");
        awaitFilter("A", SITED.text());
        awaitFilter("A", "/c1/");

        publish(publisher, SITED, 1, 500);

        far.await(STREAM, 500);
        near.await(STREAM, 500);
        far.check(STREAM, 1, 500);
        near.check(STREAM, 1, 500);
        final var links = sites.state("A").links().values();
        assertTrue(links.stream().anyMatch(link -> link.deferred() + link.renewals() > 0), "no queue was full");
    }

    @Test
    void aKilledProxyLosesNothing() throws InterruptedException {
        start(BusLimits.DEFAULT);
        final var publisher = sites.join(PUBLISHER.toString());
        final var received = subscribe("B/one", SITED.text());
        awaitFilter("A", SITED.text());
        publish(publisher, SITED, 1, 500);

        sites.restart("A");
        publish(publisher, SITED, 501, 1000);
        received.await(STREAM, 1000);
        sites.restart("B");
        publish(publisher, SITED, 1001, 1500);

        received.await(STREAM, 1500);
        received.check(STREAM, 1, 1500);
        assertEquals(0, received.gaps.size());
    }

    @Test
    void aProxyWhoseNameIsNotKnownYetIsTriedAgain() throws InterruptedException {
        start(BusLimits.DEFAULT);
        final var received = subscribe("A/one", SITED.text());
        awaitFilter("A", SITED.text());
        final var right = sites.remote("A");
        final var keys = sites.enrol(PUBLISHER.toString());
        sites.update("A");
        try (var publisher = new ZmqBus(PUBLISHER, new Remote("tcp://nowhere.invalid:5570", right.publicKey()), keys,
                BusLimits.DEFAULT, 1)) {
            publish(publisher, SITED, 1, 10);
            publisher.reconnect(right, keys);

            received.await(STREAM, 10);
            received.check(STREAM, 1, 10);
        }
    }

    @Test
    void anUnknownKeyIsRefused() {
        start(BusLimits.DEFAULT);
        try (var stranger = new ZmqBus(new NodeName("A", "stranger"), sites.remote("A"), CurveKeys.generate(),
                BusLimits.DEFAULT, 1)) {
            Sites.until(() -> sites.proxies.get("A").refusedConnections() > 0);
            assertFalse(stranger.link().up());
            assertFalse(sites.state("A").links().containsKey("A/stranger"));
        }
    }

    @Test
    void whatIsNoFrameIsCounted() {
        start(BusLimits.DEFAULT);
        final var keys = sites.enrol("A/one");
        sites.update("A");
        try (var context = new ZContext(); var socket = context.createSocket(SocketType.DEALER)) {
            final var proxy = sites.remote("A");
            proxy.connect(socket, proxy.address(), keys, 16);
            Sites.until(() -> {
                socket.send(new byte[] {1, 2, 3});
                return sites.state("A").refusals().get(Refusal.MALFORMED) > 0;
            });
        }
    }

    @Test
    void withoutCurveNobodyGetsIn() {
        start(BusLimits.DEFAULT);
        sites.enrol("A/one");
        sites.update("A");
        try (var context = new ZContext(); var plain = context.createSocket(SocketType.DEALER)) {
            plain.connect(sites.proxies.get("A").address());
            plain.send(FrameCodec.encode(new Frame(Kind.HELLO, "A/one", "", 0, 1, 0)));
            sites.join("A/two");

            assertNull(plain.recv(ZMQ.DONTWAIT));
            assertFalse(sites.state("A").links().containsKey("A/one"));
        }
    }

    @Test
    void aKnownKeyGivesNoRightToAnotherName() {
        start(BusLimits.DEFAULT);
        sites.join("A/one");
        sites.keys.put("A/two", sites.keys.get("A/one"));
        final var impostor = sites.connect("A/two");
        final var honest = sites.join("A/three");

        assertTrue(honest.link().up());
        assertFalse(impostor.link().up());
        assertFalse(sites.state("A").links().containsKey("A/two"));
    }

    @Test
    void keysOfANodeAndOfAProxyRotateWhileMessagesFlow() throws InterruptedException {
        start(BusLimits.DEFAULT);
        final var publisher = sites.join(PUBLISHER.toString());
        final var received = subscribe("B/one", SITED.text());
        awaitFilter("A", SITED.text());
        publish(publisher, SITED, 1, 100);

        final var old = sites.keys.get(PUBLISHER.toString());
        final var fresh = sites.enrol(PUBLISHER.toString());
        sites.update("A");
        publisher.reconnect(sites.remote("A"), fresh);
        publish(publisher, SITED, 101, 200);
        received.await(STREAM, 200);
        sites.forget(old);
        sites.update("A");
        publish(publisher, SITED, 201, 300);
        received.await(STREAM, 300);

        sites.forget(sites.keys.get("A"));
        sites.enrol("A");
        sites.update("B");
        sites.update("C");
        sites.update("A");
        publish(publisher, SITED, 301, 400);
        received.await(STREAM, 400);
        publisher.reconnect(sites.remote("A"), fresh);
        publish(publisher, SITED, 401, 500);
        received.await(STREAM, 500);
        received.check(STREAM, 1, 500);
    }

    @Test
    void aKeyThatIsAllowedNoMoreEndsItsSession() {
        start(BusLimits.DEFAULT);
        final var node = sites.join("A/one");
        sites.forget(sites.keys.get("A/one"));

        sites.update("A");

        Sites.until(() -> !sites.state("A").links().containsKey("A/one"));
        Sites.until(() -> !node.link().up());
    }

    @Test
    void aRequestIsAnsweredOrRefusedWithAReason() {
        start(BusLimits.DEFAULT);
        final var asker = sites.join("A/asker");
        final var answerer = sites.join("C/answerer");
        final var node = new NodeName("C", "answerer");

        assertEquals(new Bus.Answer.Refused("C/answerer answers no requests"), ask(asker, node));
        try (var handling = answerer.handle((from, body) -> body.isEmpty()
                ? CompletableFuture.failedFuture(new IllegalArgumentException("an empty request"))
                : CompletableFuture.completedFuture(from + " said " + body))) {
            assertEquals(new Bus.Answer.Reply("A/asker said prepare"), ask(asker, node, "prepare"));
            assertEquals(new Bus.Answer.Refused("an empty request"), ask(asker, node));
        }
        assertEquals(new Bus.Answer.Refused("B/nobody is not connected to the bus"),
            ask(asker, new NodeName("B", "nobody")));
        assertInstanceOf(Bus.Answer.Refused.class, ask(asker, new NodeName("Z", "nowhere")));
    }

    private static Bus.Answer ask(final Bus bus, final NodeName node, final String... body) {
        return bus.request(node, String.join("", body)).toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Test
    void whatAnEphemeralNodeSaidEndsWithItAndComesBackWithIt() {
        start(BusLimits.DEFAULT);
        sites.enrol(PUBLISHER.toString());
        sites.update("A");
        final var heard = new Bodies();
        sites.join("B/one").subscribe(new TopicFilter("/c1/"), heard);
        awaitFilter("A", "/c1/");

        try (var context = new ZContext()) {
            sayOnce(context);
            Sites.until(() -> heard.are("1"));
        }
        Sites.until(() -> heard.are("1", ""));
        assertEquals(1, sites.state("A").withdrawals());
        final var late = new Bodies();
        sites.join("A/late").subscribe(new TopicFilter("/c1/"), late);

        try (var context = new ZContext()) {
            sayOnce(context);
            Sites.until(() -> heard.are("1", "", "1") && late.are("1"));
        }
    }

    /** A node whose last values end with it says one, always the same. */
    private void sayOnce(final ZContext context) {
        final var node = context.createSocket(SocketType.DEALER);
        node.setLinger(0);
        final var proxy = sites.remote("A");
        proxy.connect(node, proxy.address(), sites.keys.get(PUBLISHER.toString()), 100);
        node.send(FrameCodec.encode(new Frame(Kind.HELLO, PUBLISHER.toString(), "", 1, 1, 0)));
        node.send(FrameCodec.encode(new Frame(Kind.DATA, PUBLISHER.toString(), SITED.text(), 1, 1, 1,
            new byte[] {'1'}, 1)));
    }

    /** The bodies that a listener was told, and no gap. */
    private static final class Bodies implements Bus.Listener {
        private final List<String> bodies = new ArrayList<>();

        @Override
        public synchronized void message(final Bus.Message message) {
            bodies.add(message.body());
        }

        @Override
        public synchronized void gap(final Bus.Gap gap) {
            bodies.add(gap.reason());
        }

        synchronized boolean are(final String... expected) {
            return bodies.equals(List.of(expected));
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a listener does is its own affair. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeliveryTest {
    private static final NodeName NODE = new NodeName("A", "one");
    private static final Topic TOPIC = new Topic("/c1/site_A_forwarders");
    private static final StreamId STREAM = new StreamId(NODE, TOPIC);

    private Sites sites;
    private ZmqBus node;

    @BeforeEach
    void start() {
        sites = new Sites(BusLimits.DEFAULT, "A");
        node = sites.join(NODE.toString());
    }

    @AfterEach
    void stop() {
        sites.close();
    }

    private static Bus.Listener on(final Consumer<String> bodies) {
        return new Bus.Listener() {
            @Override
            public void message(final Bus.Message message) {
                bodies.accept(message.body());
            }

            @Override
            public void gap(final Bus.Gap gap) {
                bodies.accept(gap.reason());
            }
        };
    }

    private Received received() {
        final var received = new Received();
        node.subscribe(TopicFilter.of(TOPIC), received);
        Sites.until(() -> sites.hasFilter("A", TOPIC.text()));
        return received;
    }

    @Test
    void anErrorOrAnInterruptOfAListenerEndsNothing() throws InterruptedException {
        node.subscribe(new TopicFilter("/"), on(body -> {
            if (body.equals("1")) {
                throw new AssertionError("a listener of the test");
            }
            Thread.currentThread().interrupt();
        }));
        final var received = received();

        for (int i = 1; i <= 3; i++) {
            assertEquals(new Bus.Publication.Accepted(), node.publish(TOPIC, Integer.toString(i)));
            received.await(STREAM, i);
        }

        assertFalse(node.hasEnded());
    }

    @Test
    void aListenerIsToldNothingAfterItsSubscriptionIsClosed() throws InterruptedException {
        final var received = received();
        node.publish(TOPIC, "1");
        received.await(STREAM, 1);
        final var late = new Received();
        final var entered = new CountDownLatch(1);
        final var gate = new CountDownLatch(1);
        final var holding = node.subscribe(TopicFilter.of(TOPIC), on(body -> {
            entered.countDown();
            await(gate);
        }));
        entered.await();
        final var subscription = node.subscribe(TopicFilter.of(TOPIC), late);
        subscription.close();
        holding.close();
        gate.countDown();

        node.publish(TOPIC, "2");
        received.await(STREAM, 2);

        assertEquals(0, late.count(STREAM));
    }

    @Test
    void whatIsLeftToTellWhenANodeIsClosedIsToldWhateverAListenerDoes() throws InterruptedException {
        final var received = received();
        node.publish(TOPIC, "1");
        received.await(STREAM, 1);
        Sites.end("sluice-bus-" + NODE);
        assertTrue(node.hasEnded());
        node.subscribe(TopicFilter.of(TOPIC), on(body -> {
            throw new AssertionError("a listener of the test");
        }));
        final var underWay = node.request(new NodeName("A", "nobody"), "").toCompletableFuture();

        node.close();

        assertTrue(underWay.isDone());
    }

    private static void await(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

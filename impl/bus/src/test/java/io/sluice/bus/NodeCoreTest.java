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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node promises, with a network that loses nothing. */
class NodeCoreTest {
    private static final NodeName ONE = new NodeName("A", "one");
    private static final NodeName TWO = new NodeName("B", "two");
    private static final Topic TOPIC = new Topic("/c1/site_A_forwarders");
    private static final StreamId STREAM = new StreamId(ONE, TOPIC);

    private final BusLimits limits = new BusLimits(16, 10, 1000, 64, 1000);
    private final LossyNetwork network = new LossyNetwork(1, limits, "A", "B");
    private final NodeCore one = network.start(ONE, 1);
    private final NodeCore two = network.start(TWO, 1);
    private final Received received = new Received();

    private static void publish(final NodeCore node, final int first, final int last) {
        for (int i = first; i <= last; i++) {
            assertEquals(new Bus.Publication.Accepted(), node.publish(TOPIC, Integer.toString(i)));
        }
    }

    @Test
    void onlyNodesOfTheSitePublishOnItsTopics() {
        assertFalse(assertInstanceOf(Bus.Publication.Refused.class, two.publish(TOPIC, "1")).busy());
    }

    @Test
    void aBodyAboveTheLimitIsRefused() {
        assertFalse(assertInstanceOf(Bus.Publication.Refused.class,
            one.publish(TOPIC, "x".repeat(FrameCodec.BODY_LIMIT + 1))).busy());
    }

    @Test
    void withoutAProxyAsMuchIsTakenAsIsKeptAndAllOfItComes() {
        two.subscribe(new TopicFilter("/"), received);
        publish(one, 1, 10);
        assertTrue(assertInstanceOf(Bus.Publication.Refused.class, one.publish(TOPIC, "11")).busy());
        network.settle();

        assertEquals(10, received.last(STREAM));
        publish(one, 11, 11);
        network.settle();
        assertEquals(11, received.last(STREAM));
    }

    @Test
    void whatWasPublishedBeforeAProxyWentCountsAmongWhatIsKept() {
        final var small = new LossyNetwork(1, new BusLimits(4, 10, 1000, 64, 1000), "A", "B");
        final var publisher = small.start(ONE, 1);
        small.start(TWO, 1).subscribe(new TopicFilter("/"), received);
        small.settle();
        publish(publisher, 1, 4);
        small.restart("A");
        publisher.reconnect();

        publish(publisher, 5, 10);
        assertTrue(assertInstanceOf(Bus.Publication.Refused.class, publisher.publish(TOPIC, "11")).busy());
        small.settle();

        received.check(STREAM, 1, 10);
        assertEquals(List.of(), received.gaps);
        publish(publisher, 11, 11);
    }

    @Test
    void theSizeOfWhatIsTakenIsBoundedAwayAndConnected() {
        final var small = new LossyNetwork(1, new BusLimits(16, 100, 1000, 64, 1000), "A");
        final var publisher = small.start(ONE, 1);
        for (int round = 0; round < 2; round++) {
            assertEquals(new Bus.Publication.Accepted(), publisher.publish(TOPIC, "x".repeat(600)));
            assertTrue(assertInstanceOf(Bus.Publication.Refused.class,
                publisher.publish(TOPIC, "x".repeat(401))).busy());
            assertEquals(new Bus.Publication.Accepted(), publisher.publish(TOPIC, "x".repeat(400)));
            small.settle();
        }
        assertEquals(new Bus.Publication.Accepted(), publisher.publish(TOPIC, "x".repeat(1001)));
    }

    @Test
    void moreFiltersThanAQueueHoldsAreInstalledHereAndThere() {
        for (int i = 0; i < 1000; i++) {
            two.subscribe(new TopicFilter("/t" + i + "/site_A_x"), received);
        }
        network.settle();

        assertTrue(two.link().up());
        assertEquals(0, two.link().renewals());
        assertEquals(0, two.link().behind());
        assertEquals(1000, network.proxies.get("A").state().filters());
        final var topic = new Topic("/t999/site_A_x");
        one.publish(topic, "1");
        network.settle();
        received.check(new StreamId(ONE, topic), 1, 1);
    }

    @Test
    void whoJoinsLateGetsTheLastValueOnceAndAWithdrawnOneNever() {
        network.settle();
        publish(one, 1, 5);
        network.settle();
        two.subscribe(TopicFilter.of(TOPIC), received);
        network.settle();
        received.check(STREAM, 5, 5);

        final var here = new Received();
        two.subscribe(new TopicFilter("/c1/"), here);
        network.settle();
        here.check(STREAM, 5, 5);
        received.check(STREAM, 5, 5);

        one.publish(new Topic("/c2/gone"), "1");
        one.publish(new Topic("/c2/gone"), "");
        network.settle();
        final var late = new Received();
        two.subscribe(new TopicFilter("/c2/"), late);
        network.settle();
        assertEquals(0, late.streams.size());
    }

    @Test
    void whoLeavesGetsNothingMoreAndItsSiteNeither() {
        network.settle();
        final var subscription = two.subscribe(TopicFilter.of(TOPIC), received);
        network.settle();
        publish(one, 1, 1);
        network.settle();
        assertEquals(1, network.crossed.get("A>B"));

        subscription.close();
        network.settle();
        publish(one, 2, 2);
        network.settle();

        received.check(STREAM, 1, 1);
        assertEquals(1, network.crossed.get("A>B"));
        assertEquals(0, network.proxies.get("B").state().streams());
    }

    @Test
    void whatComesTwiceIsToldOnceAndCounted() {
        final var node = new NodeCore(TWO, 1, limits, frame -> true, Runnable::run, Runnable::run);
        node.subscribe(new TopicFilter("/"), received);
        node.tick();
        node.receive(new Frame(Kind.WELCOME, "B", "", 0, 1, 0));
        for (int i = 1; i <= 3; i++) {
            node.receive(new Frame(Kind.DATA, ONE.toString(), TOPIC.text(), 1, 1, 1, new byte[] {'1'}, i));
        }

        received.check(STREAM, 1, 1);
        assertEquals(2, node.duplicates());
    }

    @Test
    void aPublisherThatRestartsIsTold() {
        two.subscribe(TopicFilter.of(TOPIC), received);
        network.settle();
        publish(one, 1, 2);
        network.settle();

        publish(network.start(ONE, 2), 1, 1);
        network.settle();

        assertEquals(1, received.gaps.size());
        assertEquals(1, received.last(STREAM));
    }

    @Test
    void aRequestThatNobodyAnswersTimesOut() {
        network.settle();
        final var answer = one.requests().request(TWO, "prepare").toCompletableFuture();
        for (int i = 0; i < Requests.PATIENCE_TICKS; i++) {
            assertFalse(answer.isDone());
            one.tick();
        }
        assertEquals(new Bus.Answer.TimedOut(), answer.join());
    }

    @Test
    void aClosedNodePublishesNothing() {
        network.settle();
        one.close();

        assertFalse(assertInstanceOf(Bus.Publication.Refused.class, one.publish(TOPIC, "1")).busy());
    }

    @Test
    void aPublisherHasSoManyTopics() {
        final var small = new LossyNetwork(1, new BusLimits(16, 10, 1000, 64, 2), "A");
        final var node = small.start(ONE, 1);
        small.settle();
        assertEquals(new Bus.Publication.Accepted(), node.publish(new Topic("/a"), "1"));
        assertEquals(new Bus.Publication.Accepted(), node.publish(new Topic("/b"), "1"));

        assertFalse(assertInstanceOf(Bus.Publication.Refused.class, node.publish(new Topic("/c"), "1")).busy());

        assertEquals(new Bus.Publication.Accepted(), node.publish(new Topic("/a"), "2"));
    }

    @Test
    void aQueueHoldsMoreThanTheWindow() {
        assertThrows(IllegalArgumentException.class, () -> new BusLimits(16, 10, 1000, 16, 1000));
    }

    @Test
    void aProxyHasSoManyStreamsAndCountsTheRest() {
        final var small = new LossyNetwork(1, new BusLimits(16, 10, 1000, 64, 1), "A");
        for (int i = 0; i <= StreamTable.PUBLISHERS; i++) {
            final var node = small.start(new NodeName("A", "n" + i), 1);
            small.settle();
            node.publish(TOPIC, "1");
        }
        small.settle();

        final var state = small.proxies.get("A").state();
        assertEquals(StreamTable.PUBLISHERS, state.streams());
        assertEquals(Long.valueOf(1), state.refusals().get(Refusal.STREAMS));
    }

    @Test
    void aSubscriberThatCannotFollowMoreStreamsIsTold() {
        final var node = new NodeCore(TWO, 1, new BusLimits(16, 10, 1000, 64, 1), frame -> true, Runnable::run,
            Runnable::run);
        node.subscribe(new TopicFilter("/"), received);
        node.tick();
        node.receive(new Frame(Kind.WELCOME, "B", "", 0, 1, 0));
        for (int i = 1; i <= StreamTable.PUBLISHERS + 1; i++) {
            node.receive(new Frame(Kind.DATA, "A/n" + i, TOPIC.text(), 1, 1, 1, new byte[] {'1'}, i));
        }

        assertEquals(List.of("more streams than can be followed"), received.gaps);
        assertEquals(1, node.gaps());
        assertEquals(-1, received.last(new StreamId(new NodeName("A", "n17"), TOPIC)));
    }

    @Test
    void whatWasWithdrawnIsForgottenEverywhereAfterADay() {
        final var heard = new ArrayList<String>();
        two.subscribe(TopicFilter.of(TOPIC), new Bus.Listener() {
            @Override
            public void message(final Bus.Message message) {
                heard.add(message.body());
            }

            @Override
            public void gap(final Bus.Gap gap) {
                heard.add(gap.reason());
            }
        });
        network.settle();
        publish(one, 1, 1);
        one.publish(TOPIC, "");
        network.settle();
        assertEquals(List.of("1", ""), heard);
        assertEquals(1, network.proxies.get("B").state().streams());

        for (int i = 0; i < Withdrawals.EXPIRY_TICKS; i++) {
            network.tick();
        }

        network.proxies.values().forEach(proxy -> assertEquals(0, proxy.state().streams()));
        network.settle();
        publish(one, 2, 2);
        network.settle();
        assertEquals(List.of("1", "", "2"), heard);
    }
}

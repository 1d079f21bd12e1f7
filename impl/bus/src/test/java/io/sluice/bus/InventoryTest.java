// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an operator asks a proxy for. */
class InventoryTest {
    private static final int STREAMS = 1000;

    private final StreamTable<Frame> lastValues = new StreamTable<>(STREAMS);
    private final SubscriptionTable<Peer> subscriptions = new SubscriptionTable<>();
    private final Inventory inventory = new Inventory(lastValues, subscriptions);

    private void value(final String publisher, final String topic, final long sequence, final String body) {
        final var frame = new Frame(Kind.DATA, publisher, topic, 7, sequence, 1, body.getBytes(StandardCharsets.UTF_8));
        lastValues.put(frame.stream(), frame);
    }

    private void filter(final String subscriber, final String filter) {
        final var peer = new Peer(new Link(frame -> true, "A", false, 16), false, subscriber);
        subscriptions.add(new TopicFilter(filter), peer);
    }

    private static List<String> topics(final Listing<TopicState> listing) {
        return listing.entries().stream().map(state -> state.topic().text()).toList();
    }

    @Test
    void aTopicHasItsPublishersAndSubscribersByName() {
        value("A/two", "/c1/routes", 5, "{}");
        value("A/one", "/c1/routes", 9, "");
        value("A/one", "/c2/routes", 1, "{}");
        filter("B", "/c1/");
        filter("A/reader", "/c1/routes");
        filter("A/other", "/c2/routes");

        final var listing = inventory.topics(new TopicFilter("/c1/"), 100);

        assertEquals(2, listing.total());
        assertEquals(List.of(new TopicState(new Topic("/c1/routes"), List.of(
            new StreamState(NodeName.of("A/one"), 7, 9, 0),
            new StreamState(NodeName.of("A/two"), 7, 5, 2)), List.of("A/reader", "B"))),
            listing.entries());
    }

    @Test
    void theFirstTopicsAreListedWholeWhateverTheOrderTheyCameIn() {
        final var names = new ArrayList<>(IntStream.range(100, 300).mapToObj(i -> "/t" + i).toList());
        Collections.shuffle(names, new Random(1));
        names.forEach(name -> value("A/one", name, 1, "x"));
        Collections.shuffle(names, new Random(2));
        names.forEach(name -> value("A/two", name, 1, "x"));

        final var listing = inventory.topics(new TopicFilter("/"), 3);

        assertEquals(400, listing.total());
        assertEquals(List.of("/t100", "/t101", "/t102"), topics(listing));
        listing.entries().forEach(topic -> assertEquals(2, topic.streams().size()));
    }

    @Test
    void filtersAreListedWithAllWhoHaveThem() {
        filter("A/b", "/c1/");
        filter("A/a", "/c1/");
        filter("B", "/");
        filter("A/a", "/c2/");

        assertEquals(new Listing<>(List.of(new FilterState(new TopicFilter("/"), List.of("B")),
            new FilterState(new TopicFilter("/c1/"), List.of("A/a", "A/b"))), 3), inventory.filters(2));
    }

    @Test
    void valuesThatWereWithdrawnAreNotRead() {
        value("A/two", "/c1/routes", 5, "{}");
        value("A/one", "/c1/routes", 9, "");
        value("A/one", "/c1", 1, "x");

        final var read = inventory.lastValues(new Topic("/c1/routes"));

        assertEquals(List.of("{}"), read.stream().map(LastValue::body).toList());
        assertEquals(5, read.getFirst().stream().sequence());
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Streams within bounds. */
class StreamTableTest {
    private static final int LIMIT = 3;

    private final StreamTable<String> table = new StreamTable<>(LIMIT);

    private static StreamId stream(final String publisher, final int topic) {
        return new StreamId(new NodeName("A", publisher), new Topic("/t" + topic));
    }

    private void put(final int topic, final boolean isWithdrawn) {
        assertTrue(table.put(stream("one", topic), "value"));
        table.note(stream("one", topic), isWithdrawn);
    }

    private void pass(final int ticks) {
        for (int i = 0; i < ticks; i++) {
            table.tick();
        }
    }

    @Test
    void aWithdrawnStreamIsForgottenAfterADayAndAnotherIsNot() {
        put(1, true);
        put(2, false);
        pass(Withdrawals.EXPIRY_TICKS - 1);
        assertNotNull(table.get(stream("one", 1)));

        pass(1);

        assertNull(table.get(stream("one", 1)));
        assertNotNull(table.get(stream("one", 2)));
        assertEquals(1, table.size());
    }

    @Test
    void aStreamThatIsUsedAgainIsKept() {
        put(1, true);
        pass(Withdrawals.EXPIRY_TICKS - 1);
        put(1, false);

        pass(Withdrawals.EXPIRY_TICKS);

        assertNotNull(table.get(stream("one", 1)));
    }

    @Test
    void aPublisherWithTooManyLosesAWithdrawnOneFirstAndThenTheOneThatWasSilentForLongest() {
        put(1, false);
        put(2, true);
        put(3, false);

        put(4, false);
        assertNull(table.get(stream("one", 2)), "withdrawn");
        put(1, false);
        put(5, false);
        assertNull(table.get(stream("one", 3)), "silent");

        assertNotNull(table.get(stream("one", 1)));
        assertEquals(LIMIT, table.size());
    }

    @Test
    void publishersTogetherAreBounded() {
        for (int i = 0; i < LIMIT * StreamTable.PUBLISHERS; i++) {
            assertTrue(table.put(stream("p" + i, 1), "value"));
        }
        assertFalse(table.put(stream("late", 1), "value"));
        assertTrue(table.put(stream("p1", 1), "another value"));

        table.note(stream("p2", 1), true);

        assertTrue(table.put(stream("late", 1), "value"));
        assertNull(table.get(stream("p2", 1)));
        assertEquals(LIMIT * StreamTable.PUBLISHERS, table.size());
    }

    @Test
    void aFilterFindsTheStreamsThatALookAtEachOneFinds() {
        final var random = new Random(1);
        final var all = new StreamTable<String>(1000);
        for (int i = 0; i < 2000; i++) {
            final var text = random.ints(1 + random.nextInt(3), 0, 4).mapToObj(n -> "/" + "a-0z".charAt(n))
                .collect(Collectors.joining());
            final var each = new StreamId(new NodeName("A", "p" + random.nextInt(3)), new Topic(text));
            if (random.nextInt(4) == 0) {
                all.removeIf(TopicFilter.of(each.topic()), each::equals);
            } else {
                all.put(each, text);
            }
        }
        for (final var filter : List.of("/", "/a/", "/-/", "/0/", "/z/a/", "/a", "/a/0", "/b")) {
            final var slow = new HashSet<StreamId>();
            all.forEach((stream, value) -> {
                if (new TopicFilter(filter).matches(stream.topic())) {
                    slow.add(stream);
                }
            });
            final var found = new ArrayList<StreamId>();
            all.forEach(new TopicFilter(filter), (stream, value) -> found.add(stream));
            assertEquals(slow.size(), found.size(), filter);
            assertEquals(slow, new HashSet<>(found), filter);
        }
    }

    @Test
    void aStreamThatIsGoneIsNotWithdrawn() {
        put(1, false);
        table.removeIf(new TopicFilter("/"), stream -> true);
        table.note(stream("one", 1), true);
        put(1, false);

        pass(Withdrawals.EXPIRY_TICKS);

        assertEquals(1, table.size());
    }
}

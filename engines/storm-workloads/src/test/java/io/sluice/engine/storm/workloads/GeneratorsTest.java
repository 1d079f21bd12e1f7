// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratorsTest {
    private static final int WORDS = 1000;

    private static WordTable zipf() throws IOException {
        return WordTable.of(IntStream.range(0, WORDS).mapToObj(rank -> "w" + rank + "\t" + 1.0 / (rank + 1)).toList(),
            "zipf");
    }

    private static List<String> tweets(final long seed, final int instance, final int number) throws IOException {
        return Stream.generate(new Tweets(zipf(), seed, instance)::next).limit(number).toList();
    }

    @Test
    void wordsAreAsFrequentAsTheTableSays() throws IOException {
        final long seed = System.nanoTime();
        final var table = WordTable.of(List.of("a\t1", "b\t6", "c\t3"), "table");
        final var random = new SplittableRandom(seed);
        final var counts = new HashMap<String, Integer>();
        for (int each = 0; each < 100_000; each++) {
            counts.merge(table.draw(random), 1, Integer::sum);
        }
        assertEquals(10_000, counts.get("a"), 600, "seed " + seed);
        assertEquals(60_000, counts.get("b"), 900, "seed " + seed);
        assertEquals(30_000, counts.get("c"), 900, "seed " + seed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"b", "b\t0", "b\tx", "b\t-1", "\t1", "b\tInfinity", "b\t1\t2"})
    void aWrongLineIsNamed(final String line) {
        final var refusal = assertThrows(IOException.class, () -> WordTable.of(List.of("a\t1", line), "words.tsv"));
        assertTrue(refusal.getMessage().startsWith("words.tsv:2: no word and its frequency"), refusal.getMessage());
    }

    @Test
    void equalSeedsHaveEqualTweets() throws IOException {
        assertEquals(tweets(7, 0, 500), tweets(7, 0, 500));
        assertNotEquals(tweets(7, 0, 500), tweets(8, 0, 500));
        assertNotEquals(tweets(7, 0, 500), tweets(7, 1, 500));
    }

    @Test
    void aTopicIsTalkedOfForAWhileByAllInstances() throws IOException {
        final String topic = new Tweets(zipf(), 7, 0).topic(1);
        for (int instance = 0; instance < 3; instance++) {
            final var second = tweets(7, instance, 2 * Tweets.TOPIC_TWEETS).subList(Tweets.TOPIC_TWEETS,
                2 * Tweets.TOPIC_TWEETS);
            final var burst = second.subList(0, Tweets.BURST_TWEETS);
            final var after = second.subList(Tweets.BURST_TWEETS, Tweets.TOPIC_TWEETS);
            final long about = burst.stream().filter(text -> List.of(text.split(" ")).contains(topic)).count();
            final long later = after.stream().filter(text -> List.of(text.split(" ")).contains(topic)).count();
            assertTrue(about > 250 && about < 400, "of a thousand: " + about);
            assertTrue(later < 100, "afterwards: " + later);
        }
    }

    @Test
    void tweetsHaveEightToTwentyWords() throws IOException {
        assertTrue(tweets(1, 0, 5000).stream().mapToInt(text -> text.split(" ").length)
            .allMatch(words -> words >= 8 && words <= 20));
    }

    @Test
    void whoIsHeldBackCatchesUp() {
        final var pace = new Pace(10, 0, 0);
        assertEquals(List.of(0L), due(pace, 0));
        assertEquals(List.of(), due(pace, 50_000));
        assertEquals(List.of(1L), due(pace, 100_000));
        assertEquals(List.of(2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L), due(pace, 1_000_000));
    }

    @Test
    void nothingIsDueBeforeAllBeginAndWhoComesLaterGivesWhatIsDueTheSameNumber() {
        final long beginUs = 1_800_000_000_000_000L;
        final var early = new Pace(62.5, beginUs, beginUs - 3_000_000);
        assertEquals(List.of(), due(early, beginUs - 1));
        assertEquals(List.of(0L), due(early, beginUs));
        due(early, beginUs + 5_000_000);
        final var later = new Pace(62.5, beginUs, beginUs + 5_000_001);
        assertEquals(313, due(later, beginUs + 10_000_000).size());
        assertEquals(313, due(early, beginUs + 10_000_000).size());
        assertEquals(626, early.next());
        assertEquals(626, later.next());
    }

    /** The numbers of what is due. */
    private static List<Long> due(final Pace pace, final long nowUs) {
        final var numbers = new ArrayList<Long>();
        while (pace.isDue(nowUs)) {
            numbers.add(pace.next());
        }
        return numbers;
    }
}

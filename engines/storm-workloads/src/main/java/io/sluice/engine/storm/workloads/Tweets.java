// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Short texts, without end: words as often as the table says, and one topic after the other that a part of the texts is
 * about for a while. Equal seeds and instances have equal texts; instances of one seed have the same topics.
 */
final class Tweets {
    /** After so many texts of an instance comes the next topic. */
    static final int TOPIC_TWEETS = 3000;
    /** For so many of them it is talked of. */
    static final int BURST_TWEETS = 1000;

    private static final double BURST_PART = 0.3;
    private static final int LEAST_WORDS = 8;
    private static final int MOST_WORDS = 20;
    private static final int COMMON_WORDS = 100;
    private static final long TOPIC_SPREAD = 31;
    private static final long INSTANCE_SPREAD = 0x9e3779b97f4a7c15L;

    private final WordTable table;
    private final long seed;
    private final RandomGenerator random;
    private long made;

    Tweets(final WordTable table, final long seed, final int instance) {
        this.table = table;
        this.seed = seed;
        random = new SplittableRandom(seed + instance * INSTANCE_SPREAD);
    }

    /** The next text. */
    String next() {
        final long topic = made / TOPIC_TWEETS;
        final boolean burst = made % TOPIC_TWEETS < BURST_TWEETS && random.nextDouble() < BURST_PART;
        made++;
        final int words = random.nextInt(LEAST_WORDS, MOST_WORDS + 1);
        return Stream.concat(burst ? Stream.of(topic(topic)) : Stream.empty(),
            Stream.generate(() -> table.draw(random)).limit(burst ? words - 1 : words))
            .collect(Collectors.joining(" "));
    }

    /** The word that texts are about; not one of the commonest, if there are others. */
    String topic(final long number) {
        final int from = Math.min(COMMON_WORDS, table.size() - 1);
        return table.word(from + new SplittableRandom(seed * TOPIC_SPREAD + number).nextInt(table.size() - from));
    }
}

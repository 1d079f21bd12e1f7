// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Beside regular expressions that say the same. */
class BusGrammarTest {
    private static final String SITE = "[A-Za-z0-9-]{1,31}";
    private static final String SEGMENT = "(?!site_)[A-Za-z0-9._-]{1,63}";
    private static final Pattern NODE = Pattern.compile("[A-Za-z0-9._-]{1,63}");
    private static final Pattern TOPIC = Pattern.compile("(?=.{1,255}$)(?:/" + SEGMENT + "){0,7}/(?:" + SEGMENT
        + "|site_(?<site>" + SITE + ")_[A-Za-z0-9._-]{1,26})");
    private static final Pattern PREFIX = Pattern.compile("(?=.{1,255}$)(?:/" + SEGMENT + "){0,7}/");
    private static final String[] PARTS = {"/", "/", "/", "site_", "_", "-", ".", "a", "Z", "0", "9", "", " ", "\u00e4",
        "x".repeat(25), "x".repeat(31), "x".repeat(62), "z"};
    private static final int TEXTS = 300_000;

    @Test
    void saysTheSameAsTheReference() {
        final var random = new Random(1);
        int topics = 0;
        int withSite = 0;
        for (int number = 0; number < TEXTS; number++) {
            final var made = new StringBuilder(random.nextInt(4) > 0 ? "/" : "");
            for (int parts = random.nextInt(10); parts > 0; parts--) {
                made.append(PARTS[random.nextInt(PARTS.length)]);
            }
            final var text = made.toString();
            assertEquals(text.matches(SITE), BusGrammar.isSite(text), text);
            assertEquals(NODE.matcher(text).matches(), BusGrammar.isNode(text), text);
            assertEquals(PREFIX.matcher(text).matches(), BusGrammar.isPrefix(text), text);
            final var reference = TOPIC.matcher(text);
            assertEquals(reference.matches(), BusGrammar.isTopic(text), text);
            if (reference.matches()) {
                final var site = Optional.ofNullable(reference.group("site"));
                assertEquals(site, new Topic(text).site(), text);
                topics++;
                withSite += site.isPresent() ? 1 : 0;
            }
        }
        assertTrue(topics > TEXTS / 100 && withSite > 100, topics + " topics, of which " + withSite + " name a site");
    }

    @Test
    void aTopicHasEightSegmentsAndTwoHundredFiftyFiveCharactersAtMost() {
        assertTrue(BusGrammar.isTopic("/a".repeat(8)));
        assertFalse(BusGrammar.isTopic("/a".repeat(9)));
        final var three = ("/" + "x".repeat(63)).repeat(3);
        assertTrue(BusGrammar.isTopic(three + "/" + "x".repeat(62)));
        assertFalse(BusGrammar.isTopic(three + "/" + "x".repeat(63)));
    }
}

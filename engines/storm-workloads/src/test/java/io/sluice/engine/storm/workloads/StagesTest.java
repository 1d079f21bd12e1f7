// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.engine.storm.workloads.RouteJoin.Event;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StagesTest {
    @Test
    void countsAreThoseOfTheWindow() {
        final long seed = System.nanoTime();
        final var random = new Random(seed);
        final var counts = new SlidingCounts(5);
        final var all = new ArrayList<Map.Entry<Long, String>>();
        long second = 1_700_000_000;
        for (int each = 0; each < 3000; each++) {
            second += random.nextInt(50) == 0 ? random.nextInt(8) : 0;
            final String word = "w" + random.nextInt(12);
            counts.count(word, second);
            all.add(Map.entry(second, word));
            final long from = second - 4;
            final var totals = new HashMap<String, Long>();
            all.stream().filter(entry -> entry.getKey() >= from)
                .forEach(entry -> totals.merge(entry.getValue(), 1L, Long::sum));
            assertEquals(totals.entrySet().stream().sorted(SlidingCounts.MOST_FREQUENT).limit(4)
                .map(entry -> Map.entry(entry.getKey(), entry.getValue())).toList(), counts.top(4), "seed " + seed);
        }
    }

    /** Beside one that looks at everything each time. */
    @Test
    void anEventWaitsUntilItsRouteHasToldAsLate() {
        final long seed = System.nanoTime();
        final var random = new Random(seed);
        final var join = new RouteJoin();
        final var events = new long[3];
        final var reports = new long[3];
        final var open = new ArrayList<List<Event>>();
        Collections.addAll(open, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int step = 0; step < 5000; step++) {
            final int route = random.nextInt(3);
            final List<Event> complete;
            if (random.nextBoolean()) {
                final var event = new Event(events[route]++, step);
                open.get(route).add(event);
                complete = join.event(route, event);
            } else {
                complete = join.report(route, reports[route]++);
            }
            final long latest = reports[route] - 1;
            final var expected = open.get(route).stream().filter(event -> event.number() <= latest).toList();
            assertEquals(expected, complete, "seed " + seed + " step " + step);
            open.get(route).removeAll(expected);
        }
    }

    @Test
    void eachSecondHasALineAlsoWithoutTuples() {
        final var out = new StringWriter();
        final var log = new CompletionLog(out);
        log.completed(9_999_900, 10_000_000);
        log.completed(9_999_700, 10_500_000);
        log.completed(10_999_000, 10_999_500);
        log.completed(12_500_000, 12_500_010);
        log.completed(12_500_000, 13_000_000);
        assertEquals("""
            10,3,166967,500,500300,500300
            11,0,0,0,0,0
            12,1,10,10,10,10
            """, out.toString());
    }

    @Test
    void resultsHaveTheirFolderMadeOrItIsSaidWhyNot(@TempDir final Path folder) throws IOException {
        SinkBolt.open(folder.resolve("a/b"), "act-1.csv").close();
        assertTrue(Files.exists(folder.resolve("a/b/act-1.csv")));
        final var taken = Files.createFile(folder.resolve("taken"));
        final var refusal = assertThrows(UncheckedIOException.class, () -> SinkBolt.open(taken, "act-1.csv"));
        assertTrue(refusal.getMessage().startsWith("results=" + taken + ": this machine"), refusal.getMessage());
    }

    @Test
    void aSinkThatStartsAnewAddsToWhatItWrote(@TempDir final Path folder) throws IOException {
        for (long second = 10; second < 13; second += 2) {
            try (var file = SinkBolt.open(folder, "act-1.csv")) {
                final var log = new CompletionLog(file);
                log.completed(second * 1_000_000, second * 1_000_000);
                log.completed(second * 1_000_000, (second + 1) * 1_000_000);
            }
        }
        assertEquals(List.of("second,completed,mean_us,median_us,p99_us,most_us", "10,1,0,0,0,0", "12,1,0,0,0,0"),
            Files.readAllLines(folder.resolve("act-1.csv")));
    }

    @Test
    void argumentsAreCheckedByName() {
        assertEquals("1000", Submit.values("trending-topics", "results=/tmp", "words=w.tsv").get("rate"));
        assertEquals("3", Submit.values("trucking-iot", "results=/tmp", "tasks=3").get("tasks"));
        for (var wrong : List.of("rates=3", "rate")) {
            final var refusal = assertThrows(IllegalArgumentException.class,
                () -> Submit.values("trucking-iot", "results=/tmp", wrong));
            assertTrue(refusal.getMessage().startsWith("'" + wrong + "' is no key=value; keys are [ackers,"),
                refusal.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> Submit.values("trucking-iot"));
        assertThrows(IllegalArgumentException.class, () -> Submit.values("something", "results=/tmp"));
        for (var wrong : List.of("tasks=0", "start=-1")) {
            assertThrows(IllegalArgumentException.class, () -> Submit.topology("trucking-iot",
                Submit.values("trucking-iot", "results=/tmp", wrong)));
        }
        final var needed = assertThrows(IllegalArgumentException.class,
            () -> Submit.values("trending-topics", "results=/tmp"));
        assertTrue(needed.getMessage().startsWith("words=FILE"), needed.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "0", "-1", "abc"})
    void whatIsNoRateIsRefused(final String rate, @TempDir final Path folder) throws IOException {
        final var words = Files.writeString(folder.resolve("words.tsv"), "the\t9\n");
        for (var application : List.of("trending-topics", "trucking-iot")) {
            final var values = Submit.values(application, "results=/tmp", "words=" + words, "rate=" + rate);
            final var refusal = assertThrows(IllegalArgumentException.class,
                () -> Submit.topology(application, values));
            assertTrue(refusal.getMessage().startsWith("rate"), refusal.getMessage());
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** docs/wire/bus-vectors.json, which every implementation has to pass, both ways. */
class VectorsTest {
    private final JsonObject vectors;

    VectorsTest() throws IOException {
        try (var in = Files.newBufferedReader(Path.of("../../docs/wire/bus-vectors.json"))) {
            vectors = JsonParser.parseReader(in).getAsJsonObject();
        }
    }

    private static Stream<JsonElement> all(final JsonObject in, final String name) {
        return in.getAsJsonArray(name).asList().stream();
    }

    private static String text(final JsonObject in, final String name) {
        return in.get(name).getAsString();
    }

    @TestFactory
    Stream<DynamicTest> topics() {
        final var topics = vectors.getAsJsonObject("topics");
        return Stream.concat(
            all(topics, "valid").map(JsonElement::getAsJsonObject).map(each -> DynamicTest.dynamicTest(
                text(each, "text"), () -> assertEquals(
                    Optional.of(each.get("site")).filter(site -> !site.isJsonNull()).map(JsonElement::getAsString),
                    new Topic(text(each, "text")).site()))),
            all(topics, "invalid").map(JsonElement::getAsString).map(each -> DynamicTest.dynamicTest("not " + each,
                () -> assertThrows(IllegalArgumentException.class, () -> new Topic(each)))));
    }

    @TestFactory
    Stream<DynamicTest> filters() {
        final var filters = vectors.getAsJsonObject("filters");
        return Stream.concat(
            all(filters, "valid").map(JsonElement::getAsString).map(each -> DynamicTest.dynamicTest(each,
                () -> assertEquals(each, new TopicFilter(each).toString()))),
            all(filters, "invalid").map(JsonElement::getAsString).map(each -> DynamicTest.dynamicTest("not " + each,
                () -> assertThrows(IllegalArgumentException.class, () -> new TopicFilter(each)))));
    }

    @TestFactory
    Stream<DynamicTest> matches() {
        return all(vectors, "matches").map(JsonElement::getAsJsonObject).map(each -> {
            final var filter = new TopicFilter(text(each, "filter"));
            final var topic = new Topic(text(each, "topic"));
            return DynamicTest.dynamicTest(filter + " " + topic, () -> {
                assertEquals(each.get("matches").getAsBoolean(), filter.matches(topic));
                final var table = new SubscriptionTable<String>();
                table.add(filter, "subscriber");
                assertEquals(each.get("matches").getAsBoolean(), table.matching(topic).contains("subscriber"));
            });
        });
    }

    @TestFactory
    Stream<DynamicTest> frames() {
        return all(vectors, "frames").map(JsonElement::getAsJsonObject)
            .map(each -> DynamicTest.dynamicTest(text(each, "name"), () -> {
                final byte[] octets = HexFormat.of().parseHex(text(each, "octets"));
                final var read = assertInstanceOf(FrameCodec.Decoded.Valid.class, FrameCodec.decode(octets)).frame();

                assertEquals(List.of(Kind.valueOf(text(each, "kind")), text(each, "node"), text(each, "topic"),
                    each.get("epoch").getAsLong(), each.get("sequence").getAsLong(), each.get("mark").getAsLong(),
                    text(each, "body"), (int) each.get("count").getAsLong()),
                    List.of(read.kind(), read.node(), read.topic(), read.epoch(), read.sequence(), read.mark(),
                        read.text(), read.count()));
                assertArrayEquals(octets, FrameCodec.encode(new Frame(read.kind(), read.node(), read.topic(),
                    read.epoch(), read.sequence(), read.mark(), text(each, "body").getBytes(StandardCharsets.UTF_8),
                    read.count())));
            }));
    }

    @TestFactory
    Stream<DynamicTest> invalidFrames() {
        return all(vectors, "invalid").map(JsonElement::getAsJsonObject)
            .map(each -> DynamicTest.dynamicTest(text(each, "name"), () -> assertInstanceOf(
                FrameCodec.Decoded.Invalid.class, FrameCodec.decode(HexFormat.of().parseHex(text(each, "octets"))))));
    }

    @TestFactory
    Stream<DynamicTest> epochs() {
        return all(vectors, "epochs").map(JsonElement::getAsJsonObject)
            .map(each -> DynamicTest.dynamicTest(text(each, "name"), () -> {
                final long start = EpochFile.start(each.get("last").getAsLong(), each.get("clock").getAsLong());
                assertEquals(each.get("start").getAsLong(), start);
                assertEquals(each.get("epoch").getAsLong(), EpochFile.epoch(start));
            }));
    }

    @TestFactory
    Stream<DynamicTest> trackers() {
        return all(vectors, "trackers").map(JsonElement::getAsJsonObject)
            .map(each -> DynamicTest.dynamicTest(text(each, "name"), () -> {
                final var heard = new Heard();
                final var tracker = new StreamTracker(heard);
                for (final var element : each.getAsJsonArray("steps")) {
                    final var step = element.getAsJsonObject();
                    heard.outcomes.clear();
                    take(tracker, step.getAsJsonObject("step"));
                    assertEquals(step.getAsJsonArray("outcome").asList().stream().map(JsonElement::toString).toList(),
                        heard.outcomes, () -> "after " + step.get("step"));
                }
            }));
    }

    private static void take(final StreamTracker tracker, final JsonObject step) {
        if (step.has("ticks")) {
            for (int i = 0; i < step.get("ticks").getAsInt(); i++) {
                tracker.tick();
            }
        } else {
            tracker.accept(new Frame(Kind.valueOf(text(step, "take")), "B/publisher", "/topic",
                step.get("epoch").getAsLong(), step.get("sequence").getAsLong(), step.get("mark").getAsLong(),
                (step.has("withdrawn") ? "" : "{}").getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** What a tracker did, as the vectors write it. */
    private static final class Heard implements StreamTracker.Outlet {
        private final List<String> outcomes = new ArrayList<>();

        @Override
        public void deliver(final Frame frame) {
            outcomes.add("{\"deliver\":" + frame.sequence() + "}");
        }

        @Override
        public void gap(final long messages, final String reason) {
            outcomes.add("{\"gap\":" + messages + "}");
        }

        @Override
        public void duplicate() {
            // no outcome: it is dropped
        }

        @Override
        public void ask(final long epoch, final long first, final long last) {
            outcomes.add("{\"ask\":[" + epoch + "," + first + "," + last + "]}");
        }
    }
}

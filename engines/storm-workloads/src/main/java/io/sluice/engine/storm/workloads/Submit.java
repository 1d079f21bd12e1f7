// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;

/**
 * Submits one of the applications:
 * {@code (trending-topics|trucking-iot) results=FOLDER [key=value ...]}. Keys, with their defaults, are in
 * {@link #DEFAULTS}; {@code words=FILE} is needed for trending-topics.
 */
public final class Submit {
    private static final String TOPICS = "trending-topics";
    private static final String TRUCKING = "trucking-iot";
    private static final Map<String, String> DEFAULTS = Map.ofEntries(Map.entry("name", ""), Map.entry("results", ""),
        Map.entry("words", ""), Map.entry("seed", "1"), Map.entry("workers", "8"), Map.entry("ackers", "0"),
        Map.entry("pending", "1000"), Map.entry("tasks", "2"), Map.entry("rate", ""), Map.entry("top", "20"),
        Map.entry("window", "30"), Map.entry("routes", "50"), Map.entry("truck-bytes", "500"),
        Map.entry("traffic-bytes", "4000"), Map.entry("start", "20"));

    private Submit() {
        // one command
    }

    /** Submits; the first argument is the application. */
    public static void main(final String[] args) throws IOException, TException {
        final var values = values(args);
        final var conf = new Config();
        conf.setNumWorkers(number(values, "workers"));
        conf.setNumAckers(number(values, "ackers"));
        conf.setMaxSpoutPending(number(values, "pending"));
        conf.put(SinkBolt.RESULTS, Path.of(values.get("results")).toAbsolutePath().toString());
        final String name = values.get("name").isEmpty() ? args[0] : values.get("name");
        StormSubmitter.submitTopology(name, conf, topology(args[0], values));
    }

    /** The arguments over the defaults. */
    static Map<String, String> values(final String... args) {
        if (args.length == 0 || !Set.of(TOPICS, TRUCKING).contains(args[0])) {
            throw new IllegalArgumentException("which application: " + TOPICS + " or " + TRUCKING + "?");
        }
        final var values = new TreeMap<>(DEFAULTS);
        values.put("rate", args[0].equals(TOPICS) ? "1000" : "250");
        for (int at = 1; at < args.length; at++) {
            final String[] parts = args[at].split("=", 2);
            if (parts.length != 2 || !DEFAULTS.containsKey(parts[0])) {
                throw new IllegalArgumentException("'" + args[at] + "' is no key=value; keys are "
                    + new TreeSet<>(DEFAULTS.keySet()));
            }
            values.put(parts[0], parts[1]);
        }
        if (values.get("results").isEmpty()) {
            throw new IllegalArgumentException("results=FOLDER says where sinks write");
        }
        if (args[0].equals(TOPICS) && values.get("words").isEmpty()) {
            throw new IllegalArgumentException("words=FILE says which words tweets have, and how often");
        }
        return values;
    }

    /** The application with these values. */
    static StormTopology topology(final String application, final Map<String, String> values) throws IOException {
        final long seed = number(values, "seed");
        final double rate = rate(values);
        final int start = number(values, "start");
        if (start < 0) {
            throw new IllegalArgumentException("start=" + start + " is before submission; it is 0 or more seconds");
        }
        final long beginUs = Clock.nowUs() + TimeUnit.SECONDS.toMicros(start);
        return application.equals(TOPICS)
            ? TrendingTopics.build(WordTable.read(Path.of(values.get("words"))), seed,
                new TrendingTopics.Parameters(rate, number(values, "tasks"), number(values, "top"),
                    number(values, "window"), beginUs))
            : TruckingIot.build(seed, new TruckingIot.Parameters(rate, number(values, "tasks"),
                number(values, "routes"), number(values, "truck-bytes"), number(values, "traffic-bytes"), beginUs));
    }

    private static double rate(final Map<String, String> values) {
        try {
            return Double.parseDouble(values.get("rate"));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("rate=" + values.get("rate") + " is no number", e);
        }
    }

    private static int number(final Map<String, String> values, final String key) {
        try {
            return Integer.parseInt(values.get(key));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + "=" + values.get(key) + " is no whole number", e);
        }
    }
}

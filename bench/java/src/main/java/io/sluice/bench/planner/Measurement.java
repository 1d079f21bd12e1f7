// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Samples of one row. Unlike most rows, those of the planner are the worst case over their runs, or the best. */
final class Measurement {
    private final String id;
    private final List<Double> samples = new ArrayList<>();

    Measurement(final String id) {
        this.id = id;
    }

    void add(final double sample) {
        samples.add(sample);
    }

    double last() {
        return samples.get(samples.size() - 1);
    }

    double largest() {
        return Collections.max(samples);
    }

    double smallest() {
        return Collections.min(samples);
    }

    /** Prints the largest sample as the value. */
    void printLargest(final String parameters) {
        printLargest(parameters, "{}");
    }

    /** Prints the largest sample as the value, and a JSON object of figures of others. */
    void printLargest(final String parameters, final String peers) {
        print(largest(), parameters, peers);
    }

    /** Prints the smallest sample as the value. */
    void printSmallest(final String parameters) {
        print(smallest(), parameters, "{}");
    }

    private void print(final double value, final String parameters, final String peers) {
        final var sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        final double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        final String spread = String.format(Locale.ROOT,
            "{\"min\": %.6g, \"median\": %.6g, \"max\": %.6g, \"runs\": %d}", sorted[0], median,
            sorted[sorted.length - 1], sorted.length);
        System.out.println(String.format(Locale.ROOT,
            "{\"id\": \"%s\", \"value\": %.6g, \"spread\": %s, \"parameters\": %s, \"peers\": %s}", id, value, spread,
            parameters, peers));
    }

    /** A JSON array of texts. */
    static String json(final List<String> texts) {
        return texts.stream().map(text -> "\"" + text + "\"").collect(Collectors.joining(", ", "[", "]"));
    }
}

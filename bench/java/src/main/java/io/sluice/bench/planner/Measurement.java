// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Samples of one row. Unlike most rows, those of the planner are the worst case over their runs, or the best. */
final class Measurement {
    private final String id;
    private final DoubleStream.Builder samples = DoubleStream.builder();

    Measurement(final String id) {
        this.id = id;
    }

    void add(final double sample) {
        samples.add(sample);
    }

    /** Prints the largest sample as the value. */
    void printLargest(final String parameters) {
        final var sorted = samples.build().sorted().toArray();
        print(sorted, sorted[sorted.length - 1], parameters);
    }

    /** Prints the smallest sample as the value. */
    void printSmallest(final String parameters) {
        final var sorted = samples.build().sorted().toArray();
        print(sorted, sorted[0], parameters);
    }

    private void print(final double[] sorted, final double value, final String parameters) {
        final double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        final String spread = String.format(Locale.ROOT,
            "{\"min\": %.6g, \"median\": %.6g, \"max\": %.6g, \"runs\": %d}", sorted[0], median,
            sorted[sorted.length - 1], sorted.length);
        System.out.println(String.format(Locale.ROOT,
            "{\"id\": \"%s\", \"value\": %.6g, \"spread\": %s, \"parameters\": %s}", id, value, spread, parameters));
    }

    /** A JSON array of texts. */
    static String json(final List<String> texts) {
        return texts.stream().map(text -> "\"" + text + "\"").collect(Collectors.joining(", ", "[", "]"));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A row of the results. Unlike most, those of the planner are the worst of their samples, or the paper's "up to".
 *
 * @param id of the row
 * @param value the figure
 * @param samples of which it is one
 * @param parameters what explains it
 * @param peers figures of others from the same runs
 */
record Row(String id, double value, List<Double> samples, Map<String, ?> parameters, Map<String, Double> peers) {
    Row {
        samples = List.copyOf(samples);
        parameters = Map.copyOf(parameters);
        peers = Map.copyOf(peers);
    }

    /** The largest of the samples. */
    static Row largest(final String id, final List<Double> samples, final Map<String, ?> parameters) {
        return new Row(id, Collections.max(samples), samples, parameters, Map.of());
    }

    /** The smallest of the samples. */
    static Row smallest(final String id, final List<Double> samples, final Map<String, ?> parameters) {
        return new Row(id, Collections.min(samples), samples, parameters, Map.of());
    }

    /** The same with figures of others. */
    Row beside(final Map<String, Double> others) {
        return new Row(id, value, samples, parameters, others);
    }

    /** What the results take. */
    String json() {
        final var sorted = samples.stream().sorted().toList();
        final int size = sorted.size();
        final var spread = new JsonObject();
        spread.addProperty("min", sorted.get(0));
        spread.addProperty("median", (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2);
        spread.addProperty("max", sorted.get(size - 1));
        spread.addProperty("runs", size);
        final var row = new JsonObject();
        row.addProperty("id", id);
        row.addProperty("value", value);
        row.add("spread", spread);
        row.add("parameters", new Gson().toJsonTree(new TreeMap<>(parameters)));
        row.add("peers", new Gson().toJsonTree(new TreeMap<>(peers)));
        return row.toString();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * S8-gap, S8-memory: the largest of what several parts have measured.
 *
 * @param id of the row
 * @param parts where it comes from
 * @param figures of their points
 * @param parameters of the row
 */
record LargestOf(String id, List<Part> parts, Function<List<JsonObject>, List<Double>> figures,
        Map<String, ?> parameters) implements Part {
    LargestOf {
        parts = List.copyOf(parts);
        parameters = Map.copyOf(parameters);
    }

    @Override
    public List<JsonObject> points() {
        return parts.stream().flatMap(part -> part.points().stream()).toList();
    }

    @Override
    public List<Row> rows() {
        return List.of(Row.largest(id, figures.apply(points()), parameters));
    }
}

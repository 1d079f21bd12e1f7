// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/** Rows that come from the same points. */
interface Part {
    /** Measures the points that are not stored yet; returns all of them, which are one or more. */
    List<JsonObject> points();

    /** The rows that they make. */
    List<Row> rows();

    /** One figure of each point that has it. */
    static List<Double> column(final List<JsonObject> points, final String... names) {
        return points.stream().flatMap(point -> Stream.of(names).filter(point::has)
            .map(name -> point.get(name).getAsDouble())).toList();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.workload.PaperWorkload;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** S8-lp-wide: SB-LP on a graph of 200 nodes, and on those that are given, with the gap and the memory beside it. */
final class WideRouting implements Part {
    private static final String ID = "S8-lp-wide";
    private static final int COVERAGE = 50;

    private final int chains;

    WideRouting(final int chains) {
        this.chains = chains;
    }

    @Override
    public List<JsonObject> points() {
        return ExactRouting.points(ID, Stream.concat(Stream.of(Graphs.WIDE), Graphs.given().stream())
            .map(graph -> new Case(graph, chains, COVERAGE, 1)).toList());
    }

    /** About all graphs that were measured, so that a run without those that were given does not drop them. */
    @Override
    public List<Row> rows() {
        final var ofGraph = new TreeMap<String, JsonObject>();
        Stream.concat(Points.ofAllGraphs(Points.FOLDERS, ID, new Case(Graphs.WIDE, chains, COVERAGE, 1).point())
            .stream(), points().stream()).forEach(point -> ofGraph.put(point.get("graph").getAsString(), point));
        final var points = List.copyOf(ofGraph.values());
        final var peers = new TreeMap<String, Double>();
        for (final var point : points) {
            final var graph = Graphs.title(point.get("graph").getAsString());
            peers.put(graph + ", s", Collections.max(ExactRouting.seconds(List.of(point))));
            peers.put(graph + ", gap", Collections.max(ExactRouting.gaps(List.of(point))));
            peers.put(graph + ", GiB", point.get(Points.RESIDENT).getAsDouble());
        }
        return List.of(Row.largest(ID, ExactRouting.seconds(points), Map.of("coverage-percent", COVERAGE, "chains",
            chains, "seed", 1, "vnfs", PaperWorkload.VNFS, "sites", ExactRouting.SITES, "threads", Limits.THREADS,
            "objectives", ExactRouting.OBJECTIVES)).beside(peers));
    }
}

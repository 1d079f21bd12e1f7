// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import io.sluice.planner.dp.Tuning;
import io.sluice.planner.workload.PaperWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * S8-dp-cpu: how far SB-DP stays below the scale of SB-LP, over the compute that traffic costs on the same sites
 * (figure 12 b): where it costs little links are short, where it costs much sites are.
 */
final class ScaleOverCompute implements Part {
    /** Around the cost for which sites are built. */
    private static final long[] CYCLES_PER_KB = LongStream.of(1, 4, 8, 16, 32)
        .map(quarters -> quarters * PaperWorkload.REFERENCE_CYCLES_PER_KB / 4).toArray();
    private static final int COVERAGE = 50;

    private final int chains;

    ScaleOverCompute(final int chains) {
        this.chains = chains;
    }

    @Override
    public List<JsonObject> points() {
        final var points = new Points("S8-cpu", Case.GRAPHS.size() * CYCLES_PER_KB.length);
        final var rows = new ArrayList<JsonObject>();
        for (final var graph : Case.GRAPHS) {
            final var each = new Case(graph, chains, COVERAGE, 1);
            for (final long cycles : CYCLES_PER_KB) {
                final var point = each.point();
                point.addProperty("cycles-per-kilobyte", cycles);
                rows.add(points.at(point, row -> ScaleOfSchemes.compare(each.instance(cycles), row)));
            }
        }
        return rows;
    }

    @Override
    public List<Row> rows() {
        return List.of(Row.largest("S8-dp-cpu", ScaleOfSchemes.below(points(), ScaleOfSchemes.SB_DP),
            Map.of("graphs", Case.GRAPHS, "coverage-percent", COVERAGE, "chains", chains, "seed", 1,
                "cycles-per-kilobyte", CYCLES_PER_KB, "kappas", ScaleOfSchemes.KAPPAS, "passes",
                "up to " + Tuning.PASSES)));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static java.util.Objects.requireNonNull;

import io.sluice.api.Bandwidth;
import java.util.List;
import java.util.Optional;

/**
 * Traffic from one instance of an application to another.
 *
 * @param name unique in its application
 * @param paths at least one; the flow is split over them by their weights
 * @param stage flows of a later one go first
 * @param weight importance in relation to the flows beside it, 1..10^6
 * @param guarantee rate that it always has
 * @param limit rate that it never exceeds, at least the guarantee
 * @param report what its ends told of the last interval; empty if unknown, which counts as always having data
 */
public record Flow(String name, List<PathShare> paths, Stage stage, long weight, Bandwidth guarantee,
        Optional<Bandwidth> limit, Optional<FlowReport> report) {
    public Flow {
        requireNonNull(name);
        paths = List.copyOf(paths);
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("flow " + name + " has no path");
        }
        requireNonNull(stage);
        Checks.weight(weight);
        if (limit.isPresent() && limit.orElseThrow().compareTo(guarantee) < 0) {
            throw new IllegalArgumentException("limit of flow " + name + ", " + limit.orElseThrow()
                + ", is below its guarantee, " + guarantee);
        }
        requireNonNull(report);
    }

    /** A flow of weight 1 over one path in the only stage, without guarantee and limit. */
    public static Flow of(final String name, final List<String> links, final Optional<FlowReport> report) {
        return new Flow(name, List.of(new PathShare(links, 1)), Stage.ONLY, 1, Bandwidth.ZERO, Optional.empty(),
            report);
    }
}

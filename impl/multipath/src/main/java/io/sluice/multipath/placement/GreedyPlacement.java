// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The published method: one piece after the other; the servers that have it, least busy first; k paths to each; the
 * least sum of server and path cost wins, and its links count as full for the pieces that follow (Guillen et al.,
 * Algorithm 3 and the example of its figure 8).
 */
final class GreedyPlacement {
    private final PathFinder finder;
    private final PlacerSettings settings;
    private final Map<PortId, Bandwidth> added = new HashMap<>();
    private final Map<String, Integer> used = new HashMap<>();

    GreedyPlacement(final PathFinder finder, final PlacerSettings settings) {
        this.finder = finder;
        this.settings = settings;
    }

    /** Chooses; empty if a piece can't be had. */
    Optional<List<Option>> choose(final Demand demand) {
        final var chosen = new ArrayList<Option>();
        for (var piece : demand.pieces()) {
            final var best = piece.candidates().stream()
                .filter(candidate -> candidate.room() > used.getOrDefault(candidate.server(), 0))
                .sorted(Comparator.comparingDouble(this::load))
                .flatMap(candidate -> paths(demand, candidate).stream()
                    .map(path -> new Option(candidate, path, reversed(path))))
                .min(Comparator.comparingLong(option -> cost(option.forward())
                    + Math.round(LinkCost.IDLE * load(option.candidate()))));
            if (best.isEmpty()) {
                return Optional.empty();
            }
            chosen.add(best.orElseThrow());
            take(best.orElseThrow(), demand.bandwidth());
        }
        return Optional.of(chosen);
    }

    /** The k paths, of which those that cost far more than the best are left out. */
    private List<Path> paths(final Demand demand, final Candidate candidate) {
        if (candidate.edge().equals(demand.clientEdge())) {
            return List.of(new Path(candidate.edge(), candidate.edge(), List.of()));
        }
        final var paths = finder.disjoint(demand.clientEdge(), candidate.edge(), demand.paths(), this::cost);
        final long best = paths.stream().mapToLong(this::cost).min().orElse(0);
        return paths.stream().filter(path ->
            cost(path) * 1e6 <= best * (1e6 + settings.costTolerancePpm())).toList();
    }

    private Path reversed(final Path path) {
        return path.links().isEmpty() ? path : finder.reversed(path);
    }

    private double load(final Candidate candidate) {
        return candidate.load() + used.getOrDefault(candidate.server(), 0);
    }

    private long cost(final Path path) {
        return path.links().stream().mapToLong(this::cost).sum();
    }

    private long cost(final Link link) {
        return LinkCost.of(link.load().plus(added.getOrDefault(link.source(), Bandwidth.ZERO)), link.capacity());
    }

    private void take(final Option option, final Optional<Bandwidth> rate) {
        used.merge(option.candidate().server(), 1, Integer::sum);
        option.forward().links().forEach(link ->
            added.merge(link.source(), rate.orElse(link.capacity()), Bandwidth::plus));
    }
}

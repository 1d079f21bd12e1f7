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
import java.util.OptionalLong;

/**
 * The published method: one piece after the other; the servers that have it, least busy first; k paths to each; the
 * least sum of server and path cost wins, and its links count as full for the pieces that follow (Guillen et al.,
 * Algorithm 3 and the example of its figure 8).
 */
final class GreedyPlacement {
    private final PathFinder finder;
    private final PlacerSettings settings;
    private final Map<PortId, Bandwidth> added = new HashMap<>();
    private final ServerRoom room;

    GreedyPlacement(final PathFinder finder, final PlacerSettings settings, final ServerRoom room) {
        this.finder = finder;
        this.settings = settings;
        this.room = room;
    }

    /** An option and the sum of what its server and its path cost. */
    private record Priced(Option option, long cost) {
        Alternative alternative() {
            return Alternative.of(option, OptionalLong.of(cost), Optional.empty());
        }
    }

    /** Chooses for a demand whose pieces all have a reachable server with room. */
    List<Choice> choose(final Demand demand) {
        final var chosen = new ArrayList<Choice>();
        for (int piece = 0; piece < demand.pieces().size(); piece++) {
            final var priced = room.open(piece).stream().sorted(Comparator.comparingDouble(this::load))
                .flatMap(candidate -> paths(demand, candidate).stream()
                    .map(path -> new Option(candidate, path, finder.reversed(path))))
                .map(option -> new Priced(option, cost(option))).sorted(Comparator.comparingLong(Priced::cost))
                .toList();
            final var best = priced.getFirst().option();
            chosen.add(new Choice(best, new Weighing(priced.size(), priced.stream().map(Priced::alternative).toList(),
                true, because(priced))));
            room.take(piece, best.candidate());
            best.forward().links().forEach(link ->
                added.merge(link.source(), demand.bandwidth().orElse(link.capacity()), Bandwidth::plus));
        }
        return chosen;
    }

    private static String because(final List<Priced> priced) {
        return priced.size() == 1 ? "there was no other choice"
            : "server and path cost " + priced.getFirst().cost() + " together, those of the runner-up "
                + priced.get(1).cost();
    }

    private long cost(final Option option) {
        return cost(option.forward()) + Math.round(LinkCost.IDLE * load(option.candidate()));
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

    private double load(final Candidate candidate) {
        return candidate.busy() + room.used(candidate.server());
    }

    private long cost(final Path path) {
        return path.links().stream().mapToLong(this::cost).sum();
    }

    private long cost(final Link link) {
        return LinkCost.of(link.load().plus(added.getOrDefault(link.source(), Bandwidth.ZERO)), link.capacity());
    }
}

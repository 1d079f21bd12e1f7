// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Path;
import io.sluice.api.SwitchId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The strategies that choose the server first, then the path, one piece after the other. */
final class ServerFirstPlacement {
    private final PathFinder finder;
    private final ServerRoom room;

    /** The paths that were looked at, the one that is taken first. */
    private record Paths(List<Path> looked, boolean ranked, String because) { }

    ServerFirstPlacement(final PathFinder finder, final ServerRoom room) {
        this.finder = finder;
        this.room = room;
    }

    /** Chooses for a demand whose pieces all have a reachable server with room. */
    List<Choice> choose(final Demand demand) {
        final var chosen = new ArrayList<Choice>();
        for (int piece = 0; piece < demand.pieces().size(); piece++) {
            final long hash = mixed(demand.hash() + demand.pieces().get(piece).number());
            final var open = room.open(piece);
            final var candidate = server(demand.strategy(), open, hash);
            room.take(piece, candidate);
            chosen.add(choice(demand, candidate, open, hash >>> 8));
        }
        return chosen;
    }

    private static Candidate server(final Strategy strategy, final List<Candidate> open, final long hash) {
        return switch (strategy) {
            case ECMP, RANDOM -> open.get((int) Math.floorMod(hash, open.size()));
            default -> open.stream().min(Comparator.comparingDouble(Candidate::busy)).orElseThrow();
        };
    }

    private Choice choice(final Demand demand, final Candidate candidate, final List<Candidate> open,
            final long hash) {
        final var paths = candidate.edge().equals(demand.clientEdge())
            ? new Paths(List.of(Option.here(candidate).forward()), false, "it is on the client's switch")
            : paths(demand, candidate.edge(), hash);
        final var options = paths.looked().stream()
            .map(path -> new Option(candidate, path, finder.reversed(path))).toList();
        final var looked = new ArrayList<>(options.stream()
            .map(option -> Alternative.of(option, OptionalLong.empty(), Optional.empty())).toList());
        open.stream().filter(other -> !other.equals(candidate)).map(Alternative::server).forEach(looked::add);
        final var server = switch (demand.strategy()) {
            case ECMP, RANDOM -> "the server was drawn from " + open.size();
            default -> "the server is the least busy of " + open.size();
        };
        return new Choice(options.getFirst(),
            new Weighing(looked.size(), looked, paths.ranked(), server + "; " + paths.because()));
    }

    private Paths paths(final Demand demand, final SwitchId to, final long hash) {
        final var from = demand.clientEdge();
        return switch (demand.strategy()) {
            case ECMP -> new Paths(finder.shortest(from, to, hash).stream().toList(), false,
                "the path is the shortest one that the connection's hash selects");
            case RANDOM -> drawn(finder.disjoint(from, to, demand.paths(), link -> 1), hash);
            case LEAST_LOADED -> {
                final var paths = finder.disjoint(from, to, demand.paths(), link -> 1).stream()
                    .sorted(Comparator.comparingDouble(Alternative::fullest)).toList();
                yield new Paths(paths, true, "the path's fullest link is the emptiest of " + paths.size()
                    + " disjoint paths");
            }
            default -> new Paths(finder.shortest(from, to, 1), false, "the path is the one shortest of this pair");
        };
    }

    private static Paths drawn(final List<Path> paths, final long hash) {
        final var drawn = new ArrayList<>(paths);
        drawn.addFirst(drawn.remove((int) Math.floorMod(hash, paths.size())));
        return new Paths(drawn, false, "the path was drawn from " + paths.size() + " disjoint ones");
    }

    /** Spreads what hashes of like connections have in common (the finaliser of SplitMix64). */
    private static long mixed(final long hash) {
        long mixed = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}

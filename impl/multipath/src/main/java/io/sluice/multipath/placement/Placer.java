// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Path;
import io.sluice.api.SwitchId;
import io.sluice.multipath.placement.FairShares.Share;
import io.sluice.multipath.placement.SinglePath.Ends;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Chooses servers and paths, and reviews what was chosen. Not thread-safe: it keeps the graph of the last topology. */
public final class Placer {
    /** So many shortest paths of a pair of switches are weighed. */
    private static final int SHORTEST_PATHS = 64;
    private static final double PPM = 1e6;

    private final PlacerSettings settings;
    private FabricSnapshot known = FabricSnapshot.EMPTY;
    private PathFinder finder = new PathFinder(known);

    public Placer(final PlacerSettings settings) {
        this.settings = settings;
    }

    /** Chooses for all pieces of a demand, or refuses it as a whole. */
    public Decision place(final World world, final Demand demand) {
        take(world.fabric());
        final var pieces = demand.pieces().stream().map(piece -> new Piece(piece.number(), piece.candidates().stream()
            .filter(candidate -> world.fabric().switches().contains(candidate.edge())
                && finder.connects(demand.clientEdge(), candidate.edge())).toList())).toList();
        final var room = new ServerRoom(pieces);
        final var refusal = refusal(world, demand, pieces, room);
        if (refusal.isPresent()) {
            return new Decision.Refused(refusal.orElseThrow());
        }
        final var reachable = new Demand(demand.client(), demand.clientEdge(), pieces, demand.paths(),
            demand.bandwidth(), demand.strategy(), demand.hash());
        return switch (demand.strategy()) {
            case JOINT -> joint(world, reachable);
            case GREEDY -> rated(world, reachable, new GreedyPlacement(finder, settings, room).choose(reachable));
            default -> rated(world, reachable, chosen(reachable, room));
        };
    }

    /** Returns the moves that are worth it, the worst-off flow first; each takes the ones before it for granted. */
    public List<Move> review(final World world, final List<Reviewable> flows) {
        take(world.fabric());
        final var moves = new ArrayList<Move>();
        var now = world;
        for (var reviewable : worstOffFirst(world, flows)) {
            final var move = review(now, reviewable);
            if (move.isPresent()) {
                moves.add(move.orElseThrow());
                now = moved(now, reviewable, move.orElseThrow());
            }
        }
        return moves;
    }

    /**
     * Returns how flows would go without inverse multiplexing: at their best, with one path for all between two edge
     * switches; one move a flow, also for one that is there already, and none if a pair has no path.
     *
     * @param paths how many disjoint paths are weighed beside the shortest ones
     */
    public List<Move> together(final World world, final List<Reviewable> flows, final int paths) {
        take(world.fabric());
        final var options = new LinkedHashMap<Ends, List<Option>>();
        for (var flow : flows) {
            final var candidate = new Candidate("", null, 0, flow.serverEdge(), 0, 1);
            options.computeIfAbsent(Ends.of(flow), ends -> paths(ends.client(), ends.server(), paths).stream()
                .map(path -> option(candidate, path)).toList());
        }
        if (options.values().stream().anyMatch(List::isEmpty)) {
            return List.of();
        }
        final var ids = flows.stream().map(flow -> flow.flow().id()).collect(Collectors.toSet());
        final var single = new SinglePath(new World(world.fabric(), world.flows().stream()
            .filter(other -> !ids.contains(other.id())).toList(), world.background()), flows);
        single.choose(options);
        final var before = rates(world);
        final var after = single.rates();
        return IntStream.range(0, flows.size()).mapToObj(i -> {
            final var option = single.option(flows.get(i));
            final long id = flows.get(i).flow().id();
            return new Move(id, option.forward(), option.backward(), before.getOrDefault(id, Bandwidth.ZERO),
                rate(after.get(i).rate()), after.get(i).bindingLink());
        }).toList();
    }

    /** Max-min rates of the placed flows, by id; zero for a flow that nothing limits. */
    public static Map<Long, Bandwidth> rates(final World world) {
        final var shares = new FairShares(world).fill();
        return IntStream.range(0, shares.size()).boxed().collect(Collectors.toMap(
            i -> world.flows().get(i).id(), i -> rate(shares.get(i).rate())));
    }

    private List<Reviewable> worstOffFirst(final World world, final List<Reviewable> flows) {
        final var shares = new FairShares(world).fill();
        final var ids = world.flows().stream().map(FlowView::id).toList();
        return flows.stream().filter(flow -> flow.strategy() == Strategy.JOINT
            && flow.sinceMoveNs() >= settings.holdNs() && ids.contains(flow.flow().id())
            && !flow.clientEdge().equals(flow.serverEdge()))
            .sorted(Comparator.comparingDouble(flow -> shares.get(ids.indexOf(flow.flow().id())).rate())).toList();
    }

    private Optional<Move> review(final World world, final Reviewable reviewable) {
        final var flow = reviewable.flow();
        final int at = world.flows().stream().map(FlowView::id).toList().indexOf(flow.id());
        final double before = new FairShares(world).fill().get(at).rate();
        final var others = new World(world.fabric(), world.flows().stream()
            .filter(other -> other.id() != flow.id()).toList(), world.background());
        final var candidate = new Candidate("", null, 0, reviewable.serverEdge(), 0, 1);
        final var options = paths(reviewable.clientEdge(), reviewable.serverEdge(), 1).stream()
            .map(path -> option(candidate, path)).toList();
        if (options.isEmpty()) {
            return Optional.empty();
        }
        final var placement = new JointPlacement(new FairShares(others), List.of(options),
            new ServerRoom(List.of(new Piece(1, List.of(candidate)))), flow.limit());
        placement.choose();
        final var best = placement.chosen().getFirst();
        final var share = placement.rates().getFirst();
        final boolean gains = share.rate() > before
            && share.rate() * PPM >= before * (PPM + settings.leastGainPpm());
        return !gains ? Optional.empty() : Optional.of(new Move(flow.id(), best.forward(), best.backward(),
            rate(before), rate(share.rate()), share.bindingLink()));
    }

    private static World moved(final World world, final Reviewable reviewable, final Move move) {
        return new World(world.fabric(), world.flows().stream().map(flow -> flow.id() != move.id() ? flow
            : new FlowView(flow.id(), move.forward(), move.backward(), reviewable.flow().limit())).toList(),
            world.background());
    }

    /** The graph depends on the topology alone; rates come and go. */
    private void take(final FabricSnapshot snapshot) {
        if (!isTopologyOf(snapshot)) {
            finder = new PathFinder(snapshot);
        } else if (!snapshot.links().equals(known.links())) {
            finder = finder.withRates(snapshot);
        }
        known = snapshot;
    }

    private boolean isTopologyOf(final FabricSnapshot snapshot) {
        final var links = snapshot.links();
        return snapshot.switches().equals(known.switches()) && links.size() == known.links().size()
            && IntStream.range(0, links.size()).allMatch(i -> links.get(i).compareTo(known.links().get(i)) == 0);
    }

    private static Optional<String> refusal(final World world, final Demand demand, final List<Piece> reachable,
            final ServerRoom room) {
        for (int i = 0; i < reachable.size(); i++) {
            final int number = reachable.get(i).number();
            final var edges = demand.pieces().get(i).candidates().stream().map(Candidate::edge).distinct().toList();
            if (edges.isEmpty()) {
                return Optional.of("piece " + number + " is nowhere to be had: no host that offers it was seen; let "
                    + "one send a packet, or check the service's servers");
            }
            if (edges.stream().noneMatch(world.fabric().switches()::contains)) {
                return Optional.of("piece " + number + " is only behind switches that are not connected, " + edges
                    + "; check them and their way to the controller");
            }
            if (reachable.get(i).candidates().isEmpty()) {
                return Optional.of("no path leads from " + demand.clientEdge() + " to a server with piece " + number
                    + "; check the links between them");
            }
        }
        return room.unseated().map(piece -> "the servers have no room for piece " + piece.number()
            + "; wait for other transfers to end, or raise max-load");
    }

    /** The better of two searches: one from nothing, one from what the published method would choose. */
    private Decision joint(final World world, final Demand demand) {
        final var options = demand.pieces().stream().map(piece -> piece.candidates().stream()
            .flatMap(candidate -> options(demand, candidate).stream()).toList()).toList();
        final var fresh = new JointPlacement(new FairShares(world), options, new ServerRoom(demand.pieces()),
            demand.bandwidth());
        fresh.choose();
        final var fromGreedy = new JointPlacement(new FairShares(world), options, new ServerRoom(demand.pieces()),
            demand.bandwidth());
        fromGreedy.improve(new GreedyPlacement(finder, settings, new ServerRoom(demand.pieces())).choose(demand));
        final var best = fromGreedy.isBetterThan(fresh) ? fromGreedy : fresh;
        final var rates = best.rates();
        final var assignments = new ArrayList<Assignment>();
        for (int i = 0; i < rates.size(); i++) {
            assignments.add(assignment(demand.pieces().get(i), best.chosen().get(i), rates.get(i), best.runnerUp(i)));
        }
        return new Decision.Placed(assignments);
    }

    private List<Option> options(final Demand demand, final Candidate candidate) {
        if (candidate.edge().equals(demand.clientEdge())) {
            return List.of(here(candidate));
        }
        return paths(demand.clientEdge(), candidate.edge(), demand.paths()).stream()
            .map(path -> option(candidate, path)).toList();
    }

    /** All shortest paths, and the k that share least as far as they are not much longer. */
    private List<Path> paths(final SwitchId from, final SwitchId to, final int k) {
        final var paths = new LinkedHashSet<>(finder.shortest(from, to, SHORTEST_PATHS));
        final double longest = paths.isEmpty() ? 0
            : paths.getFirst().links().size() * (1 + settings.costTolerancePpm() / PPM);
        finder.disjoint(from, to, k, link -> 1).stream().filter(path -> path.links().size() <= longest)
            .forEach(paths::add);
        return List.copyOf(paths);
    }

    /** The strategies that choose the server first, then the path. */
    private List<Option> chosen(final Demand demand, final ServerRoom room) {
        final var chosen = new ArrayList<Option>();
        for (int piece = 0; piece < demand.pieces().size(); piece++) {
            final long hash = mixed(demand.hash() + demand.pieces().get(piece).number());
            final var open = room.open(piece);
            final var candidate = switch (demand.strategy()) {
                case ECMP, RANDOM -> open.get((int) Math.floorMod(hash, open.size()));
                default -> open.stream().min(Comparator.comparingDouble(Candidate::load)).orElseThrow();
            };
            room.take(piece, candidate);
            chosen.add(candidate.edge().equals(demand.clientEdge()) ? here(candidate)
                : option(candidate, path(demand, candidate.edge(), hash >>> 8)));
        }
        return chosen;
    }

    private Path path(final Demand demand, final SwitchId to, final long hash) {
        final var from = demand.clientEdge();
        return switch (demand.strategy()) {
            case ECMP -> finder.shortest(from, to, hash).orElseThrow();
            case RANDOM -> {
                final var paths = finder.disjoint(from, to, demand.paths(), link -> 1);
                yield paths.get((int) Math.floorMod(hash, paths.size()));
            }
            case LEAST_LOADED -> finder.disjoint(from, to, demand.paths(), link -> 1).stream()
                .min(Comparator.comparingDouble(Placer::fullest)).orElseThrow();
            default -> finder.shortest(from, to, 1).getFirst();
        };
    }

    private Option option(final Candidate candidate, final Path path) {
        return new Option(candidate, path, finder.reversed(path));
    }

    private static Option here(final Candidate candidate) {
        final var path = new Path(candidate.edge(), candidate.edge(), List.of());
        return new Option(candidate, path, path);
    }

    private static double fullest(final Path path) {
        return path.links().stream().mapToDouble(link ->
            (double) link.load().bitsPerSecond() / Math.max(1, link.capacity().bitsPerSecond())).max().orElse(0);
    }

    private Decision.Placed rated(final World world, final Demand demand, final List<Option> options) {
        final var shares = new FairShares(world);
        options.forEach(option -> shares.add(option.forward(), option.backward(), demand.bandwidth()));
        final var rates = shares.fill().subList(world.flows().size(), shares.size());
        final var assignments = new ArrayList<Assignment>();
        for (int i = 0; i < options.size(); i++) {
            assignments.add(assignment(demand.pieces().get(i), options.get(i), rates.get(i), Optional.empty()));
        }
        return new Decision.Placed(assignments);
    }

    private static Assignment assignment(final Piece piece, final Option option, final Share share,
            final Optional<String> runnerUp) {
        return new Assignment(piece.number(), option.candidate(), option.forward(), option.backward(),
            rate(share.rate()), share.bindingLink(), runnerUp);
    }

    private static Bandwidth rate(final double rate) {
        return Double.isInfinite(rate) ? Bandwidth.ZERO : new Bandwidth((long) rate);
    }

    /** Spreads what hashes of like connections have in common (the finaliser of SplitMix64). */
    private static long mixed(final long hash) {
        long mixed = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}

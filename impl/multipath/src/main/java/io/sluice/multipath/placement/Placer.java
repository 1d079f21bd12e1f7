// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Path;
import io.sluice.api.SwitchId;
import io.sluice.multipath.placement.Candidate.Load;
import io.sluice.multipath.placement.SinglePath.Ends;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
        final var pieces = demand.pieces().stream().map(piece -> piece.with(piece.candidates().stream()
            .filter(candidate -> world.fabric().switches().contains(candidate.edge())
                && finder.connects(demand.clientEdge(), candidate.edge())).toList())).toList();
        final var room = new ServerRoom(pieces);
        final var refusal = refusal(world, demand, pieces, room);
        if (refusal.isPresent()) {
            return refusal.orElseThrow();
        }
        final var reachable = new Demand(demand.client(), demand.clientEdge(), pieces, demand.paths(),
            demand.bandwidth(), demand.strategy(), demand.hash());
        return rated(world, reachable, switch (demand.strategy()) {
            case JOINT -> joint(world, reachable, room);
            case GREEDY -> new GreedyPlacement(finder, settings, room).choose(reachable);
            default -> new ServerFirstPlacement(finder, room).choose(reachable);
        });
    }

    /** Returns the moves that are worth it, the worst-off flow first; each takes the ones before it for granted. */
    public List<Move> review(final World world, final List<Reviewable> flows) {
        take(world.fabric());
        final var options = new HashMap<Ends, List<Option>>();
        return new PathReview(world, settings, ends -> options.computeIfAbsent(ends, pair ->
            options(pair.client(), PathReview.anyAt(pair.server()), 1))).moves(flows);
    }

    /**
     * Returns how flows would go without inverse multiplexing: at their best, with one path for all between two edge
     * switches; one move a flow, also for one that is there already, and none if a pair has no path.
     *
     * @param paths how many disjoint paths are weighed beside the shortest ones
     */
    public List<Move> together(final World world, final List<Reviewable> flows, final int paths) {
        take(world.fabric());
        final var ways = new LinkedHashMap<Ends, List<Option>>();
        for (var flow : flows) {
            ways.computeIfAbsent(Ends.of(flow), ends ->
                options(ends.client(), PathReview.anyAt(ends.server()), paths));
        }
        if (ways.values().stream().anyMatch(List::isEmpty)) {
            return List.of();
        }
        final var ids = flows.stream().map(flow -> flow.flow().id()).collect(Collectors.toSet());
        final var before = new PlacedRates(world).wanting(world.flows().stream()
            .filter(flow -> ids.contains(flow.id())).toList());
        final var shares = world.replacing(ids, List.of()).shares();
        final var single = new SinglePath(shares, flows);
        single.choose(ways);
        final var channels = single.add();
        final var after = shares.fill(channels);
        return IntStream.range(0, flows.size()).mapToObj(i -> {
            final var option = single.option(flows.get(i));
            final long id = flows.get(i).flow().id();
            return new Move(id, option.forward(), option.backward(), before.getOrDefault(id, Bandwidth.ZERO),
                rate(after.get(channels.get(i)).rate()),
                after.get(channels.get(i)).bindingLink().map(shares::bottleneck),
                Weighing.told(ways.get(Ends.of(flows.get(i))).size(), "it is the best single path"));
        }).toList();
    }

    /**
     * Returns the paths over which {@code strategy} would split traffic beforehand, with their weights; none if no path
     * leads there.
     *
     * @param world without the traffic that is to be split
     * @param most how many paths are of use
     */
    public List<Way> spread(final World world, final SwitchId from, final SwitchId to, final Strategy strategy,
            final int most) {
        take(world.fabric());
        return new Spread(finder, settings).ways(world, from, to, strategy, most);
    }

    /** The graph depends on the topology alone; rates come and go. */
    private void take(final FabricSnapshot snapshot) {
        if (snapshot.links() == known.links() && snapshot.switches().equals(known.switches())) {
            return;
        }
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

    private static Optional<Decision> refusal(final World world, final Demand demand, final List<Piece> reachable,
            final ServerRoom room) {
        final var attached = world.fabric().switches();
        if (!attached.contains(demand.clientEdge())) {
            return Optional.of(new Decision.Refused("client " + demand.client().getHostAddress() + " is behind "
                + demand.clientEdge() + ", which is not connected",
                "check " + demand.clientEdge() + " and its way to the controller"));
        }
        for (int i = 0; i < reachable.size(); i++) {
            final var piece = demand.pieces().get(i);
            final var edges = piece.candidates().stream().map(Candidate::edge).distinct().toList();
            if (edges.isEmpty()) {
                return Optional.of(nowhere(piece));
            }
            if (edges.stream().noneMatch(attached::contains)) {
                return Optional.of(new Decision.Refused("piece " + piece.number()
                    + " is only behind switches that are not connected, " + edges,
                    "check them and their way to the controller"));
            }
            if (reachable.get(i).candidates().isEmpty()) {
                return Optional.of(new Decision.Refused("no path leads from " + demand.clientEdge()
                    + " to a server with piece " + piece.number() + text("; ", piece.absent(), Absent::toString),
                    "check the links between them" + text("; ", piece.absent(), Absent::needed)));
            }
        }
        return room.unseated().map(piece -> new Decision.Refused("the servers have no room for piece "
            + piece.number(), "wait for other transfers to end, or raise max-load"));
    }

    private static Decision nowhere(final Piece piece) {
        return piece.absent().isEmpty()
            ? new Decision.Refused("piece " + piece.number() + " is nowhere to be had: no host that offers it is known",
                "let one send a packet, or check the service's servers")
            : new Decision.Refused("piece " + piece.number() + " is nowhere to be had"
                + text(": ", piece.absent(), Absent::toString), text("", piece.absent(), Absent::needed));
    }

    /** The texts behind {@code before}; nothing if there are none. */
    private static String text(final String before, final List<Absent> absent, final Function<Absent, String> text) {
        return absent.isEmpty() ? ""
            : before + absent.stream().map(text).distinct().collect(Collectors.joining("; "));
    }

    /** Never worse than the published method, whose choice is one of the two that the search starts from. */
    private List<Choice> joint(final World world, final Demand demand, final ServerRoom room) {
        final var ways = new HashMap<SwitchId, List<Option>>();
        final var options = demand.pieces().stream().map(piece -> piece.candidates().stream()
            .flatMap(candidate -> ways.computeIfAbsent(candidate.edge(), edge ->
                options(demand.clientEdge(), candidate, demand.paths())).stream().map(way -> way.at(candidate)))
            .toList()).toList();
        final var start = new GreedyPlacement(finder, settings, new ServerRoom(demand.pieces())).choose(demand);
        return new JointPlacement(world.shares(), options, room, demand.bandwidth())
            .choose(start.stream().map(Choice::option).toList());
    }

    private List<Option> options(final SwitchId clientEdge, final Candidate candidate, final int k) {
        return candidate.edge().equals(clientEdge) ? List.of(Option.here(candidate))
            : paths(clientEdge, candidate.edge(), k).stream()
                .map(path -> new Option(candidate, path, finder.reversed(path))).toList();
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

    private Decision.Placed rated(final World world, final Demand demand, final List<Choice> choices) {
        final var shares = world.shares();
        final var channels = choices.stream().map(choice -> shares.channel(choice.option().forward(),
            choice.option().backward(), demand.bandwidth())).toList();
        channels.forEach(shares::add);
        final var filled = shares.fill(channels);
        final var together = demand.pieces().stream().map(Piece::number).toList();
        final var assignments = new ArrayList<Assignment>();
        for (int i = 0; i < choices.size(); i++) {
            final var option = choices.get(i).option();
            final var share = filled.get(channels.get(i));
            assignments.add(new Assignment(demand.pieces().get(i).number(), together, option.candidate(),
                option.forward(), option.backward(), rate(share.rate()),
                share.bindingLink().map(shares::bottleneck), choices.get(i).weighing()));
        }
        return new Decision.Placed(assignments);
    }

    static Bandwidth rate(final double rate) {
        return Double.isInfinite(rate) ? Bandwidth.ZERO : new Bandwidth((long) rate);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.graph.ArcPath;
import io.sluice.graph.DisjointAnswer;
import io.sluice.graph.DisjointPaths;
import io.sluice.graph.Disjointness;
import io.sluice.graph.Multigraph;
import io.sluice.graph.ShortestPathDag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** Paths through one snapshot's cables, as far as both directions are up; none if it is empty. Not thread-safe. */
public final class PathFinder {
    private final Map<SwitchId, Integer> vertices;
    private final List<SwitchId> switches;
    private final List<Link> arcs = new ArrayList<>();
    private final Map<PortId, Link> bySource = new HashMap<>();
    private final Multigraph hops;

    /** What disjoint paths do not share. */
    public enum Unshared { LINK, SWITCH, SHARED_RISK_GROUP }

    /**
     * Fully disjoint paths as far as there are, and as many as asked for that share least.
     *
     * @param disjoint how many fully disjoint paths there are, up to the number asked for
     * @param paths that share least, cheapest first
     * @param costs of the paths, in hops
     * @param shared what more than one of them uses, in words
     * @param proven false if a heuristic answered, so that there may be a better answer
     */
    public record Answer(int disjoint, List<Path> paths, List<Long> costs, List<String> shared, boolean proven) { }

    public PathFinder(final FabricSnapshot snapshot) {
        vertices = new HashMap<>();
        switches = new ArrayList<>();
        snapshot.switches().stream().sorted().forEach(this::vertex);
        snapshot.links().forEach(link -> bySource.put(link.source(), link));
        final var cables = snapshot.links().stream().filter(link -> isCable(link)
            && link.source().compareTo(link.destination()) < 0).toList();
        cables.forEach(link -> {
            vertex(link.source().switchId());
            vertex(link.destination().switchId());
        });
        final var builder = Multigraph.builder(Math.max(1, switches.size()));
        for (var link : cables) {
            builder.cable(vertex(link.source().switchId()), vertex(link.destination().switchId()), 1);
            arcs.add(link);
            arcs.add(bySource.get(link.destination()));
        }
        hops = builder.build();
    }

    private PathFinder(final PathFinder older, final FabricSnapshot snapshot) {
        vertices = older.vertices;
        switches = older.switches;
        hops = older.hops;
        snapshot.links().forEach(link -> bySource.put(link.source(), link));
        older.arcs.forEach(arc -> arcs.add(bySource.get(arc.source())));
    }

    /** The same switches and cables with the rates of {@code snapshot}. */
    PathFinder withRates(final FabricSnapshot snapshot) {
        return new PathFinder(this, snapshot);
    }

    /** Whether a path leads from one switch to another; from a switch to itself always. */
    public boolean connects(final SwitchId from, final SwitchId to) {
        return from.equals(to) || !shortest(from, to, 1).isEmpty();
    }

    /** The shortest path that {@code hash} selects, all being equally likely. */
    public Optional<Path> shortest(final SwitchId from, final SwitchId to, final long hash) {
        return knows(from, to) ? dag(to).path(vertices.get(from), hash).map(this::path) : Optional.empty();
    }

    /** All shortest paths, at most {@code limit}, in a fixed order. */
    public List<Path> shortest(final SwitchId from, final SwitchId to, final int limit) {
        return knows(from, to) ? dag(to).paths(vertices.get(from), limit).stream().map(this::path).toList()
            : List.of();
    }

    /** Up to {@code k} paths that share least, of least total cost; fewer only if there is no path at all. */
    public List<Path> disjoint(final SwitchId from, final SwitchId to, final int k, final ToLongFunction<Link> cost) {
        return knows(from, to) ? switch (new DisjointPaths(hops.withCosts(arcs.stream().mapToLong(cost).toArray()))
                .find(new Disjointness.ByLink(), vertices.get(from), vertices.get(to), k)) {
            case DisjointAnswer.Found found -> found.leastShared().stream().distinct().map(this::path).toList();
            case DisjointAnswer.Unreachable none -> List.of();
        } : List.of();
    }

    /** Both answers to how far two switches can be joined apart. */
    public Answer find(final SwitchId from, final SwitchId to, final int k, final Unshared unshared) {
        final var none = new Answer(0, List.of(), List.of(), List.of(), true);
        final var groups = arcsByGroup();
        final Disjointness disjointness = switch (unshared) {
            case LINK -> new Disjointness.ByLink();
            case SWITCH -> new Disjointness.ByNode();
            case SHARED_RISK_GROUP -> new Disjointness.ByGroup(List.copyOf(groups.values()));
        };
        return knows(from, to) ? switch (new DisjointPaths(hops).find(disjointness, vertices.get(from),
                vertices.get(to), k)) {
            case DisjointAnswer.Found found -> new Answer(found.disjoint().size(),
                found.leastShared().stream().map(this::path).toList(),
                found.leastShared().stream().map(ArcPath::cost).toList(),
                found.shared().stream().map(thing -> name(thing, List.copyOf(groups.keySet()))).toList(),
                found.proven());
            case DisjointAnswer.Unreachable unreachable -> none;
        } : none;
    }

    /** The same cables the other way round. */
    public Path reversed(final Path path) {
        return new Path(path.destination(), path.source(), path.links().reversed().stream()
            .map(link -> bySource.get(link.destination())).toList());
    }

    /** The shared-risk groups by number. */
    private SortedMap<Long, Set<Integer>> arcsByGroup() {
        final var groups = new TreeMap<Long, Set<Integer>>();
        for (int arc = 0; arc < arcs.size(); arc++) {
            for (var group : arcs.get(arc).sharedRiskGroups()) {
                groups.computeIfAbsent(group, added -> new HashSet<>()).add(arc);
            }
        }
        return groups;
    }

    private String name(final DisjointAnswer.Shared shared, final List<Long> groups) {
        return switch (shared.kind()) {
            case LINK -> arcs.get(shared.id()).toString();
            case VERTEX -> switches.get(shared.id()).toString();
            case GROUP -> "shared-risk-group " + groups.get(shared.id());
        };
    }

    private boolean isCable(final Link link) {
        final var back = bySource.get(link.destination());
        return back != null && back.destination().equals(link.source());
    }

    private boolean knows(final SwitchId from, final SwitchId to) {
        return vertices.containsKey(from) && vertices.containsKey(to) && !from.equals(to);
    }

    private int vertex(final SwitchId switchId) {
        return vertices.computeIfAbsent(switchId, added -> {
            switches.add(added);
            return switches.size() - 1;
        });
    }

    private ShortestPathDag dag(final SwitchId to) {
        return ShortestPathDag.towards(hops, vertices.get(to));
    }

    private Path path(final ArcPath arcPath) {
        final var links = new ArrayList<Link>();
        for (int i = 0; i < arcPath.length(); i++) {
            links.add(arcs.get(arcPath.arc(i)));
        }
        return new Path(links.getFirst().source().switchId(), links.getLast().destination().switchId(), links);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Topologies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** A fabric, the flows placed on it so far and what others send. */
final class Scene {
    /** A quarter more cost, a tenth more rate, 30 s: the defaults of {@code sluice-multipath}. */
    static final PlacerSettings SETTINGS = new PlacerSettings(250_000, 100_000, 30_000_000_000L);

    final FabricSnapshot fabric;
    final List<FlowView> flows = new ArrayList<>();
    final Map<PortId, Bandwidth> background;
    final Placer placer = new Placer(SETTINGS);

    Scene(final FabricSnapshot fabric, final Map<PortId, Bandwidth> background) {
        this.background = background;
        this.fabric = new FabricSnapshot(fabric.version(), fabric.switches(), fabric.ports(), fabric.links().stream()
            .map(link -> new Link(link.source(), link.destination(), link.capacity(),
                background.getOrDefault(link.source(), Bandwidth.ZERO))).toList(), fabric.hosts());
    }

    Scene(final FabricSnapshot fabric) {
        this(fabric, Map.of());
    }

    /** A connected fabric of up to {@code switches} switches; every other link carries something already. */
    static Scene random(final Random random, final int switches) {
        final var unit = Bandwidth.ofMegabits(10);
        final var fabric = Topologies.random(random, 3 + random.nextInt(switches - 2), random.nextInt(switches), unit);
        final var background = new HashMap<PortId, Bandwidth>();
        fabric.links().stream().filter(link -> random.nextBoolean()).forEach(link -> background.put(link.source(),
            new Bandwidth((long) (random.nextDouble() * link.capacity().bitsPerSecond()))));
        return new Scene(fabric, background);
    }

    World world() {
        return new World(fabric, flows, background);
    }

    Host host(final int number) {
        return fabric.hosts().get(number - 1);
    }

    SwitchId edge(final int host) {
        return host(host).attachment().switchId();
    }

    /** An idle server on a host, with room for four. */
    Candidate server(final int host) {
        return server(host, 0, 4);
    }

    Candidate server(final int host, final double load, final int room) {
        return new Candidate("server-" + host, host(host).addresses().iterator().next(), 80, edge(host),
            new Candidate.Load(load, 0), room);
    }

    /** Pieces 1, 2, ..., each to be had at any of {@code candidates}. */
    static List<Piece> pieces(final int count, final List<Candidate> candidates) {
        return IntStream.rangeClosed(1, count).mapToObj(number -> new Piece(number, candidates)).toList();
    }

    Demand demand(final Strategy strategy, final int client, final List<Piece> pieces) {
        return demand(strategy, client, pieces, 0);
    }

    Demand demand(final Strategy strategy, final int client, final List<Piece> pieces, final long hash) {
        return new Demand(host(client).addresses().iterator().next(), edge(client), pieces, 4, Optional.empty(),
            strategy, hash);
    }

    List<Assignment> placed(final Demand demand) {
        return assertInstanceOf(Decision.Placed.class, placer.place(world(), demand)).assignments();
    }

    String refused(final Demand demand) {
        return assertInstanceOf(Decision.Refused.class, placer.place(world(), demand)).reason();
    }

    /** Takes what was placed into the world. */
    void keep(final List<Assignment> assignments) {
        assignments.forEach(kept -> keep(kept.forward()));
    }

    FlowView keep(final Path path) {
        final var flow = new FlowView(flows.size() + 1, path, new PathFinder(fabric).reversed(path), Optional.empty());
        flows.add(flow);
        return flow;
    }

    List<Path> shortest(final int from, final int to) {
        return new PathFinder(fabric).shortest(edge(from), edge(to), Integer.MAX_VALUE);
    }

    /** The smallest rate of all flows with {@code added} among them. */
    static double smallestRate(final World world, final List<Path> added) {
        final var finder = new PathFinder(world.fabric());
        final var shares = world.shares();
        added.forEach(path -> shares.add(shares.channel(path, finder.reversed(path), Optional.empty())));
        return rates(shares).getFirst();
    }

    /** The rates of all flows, the smallest first. */
    static List<Double> rates(final FairShares shares) {
        return shares.fill().entrySet().stream().flatMap(entry ->
            Collections.nCopies(shares.flows(entry.getKey()), entry.getValue().rate()).stream()).sorted().toList();
    }

    static List<Path> paths(final List<Assignment> assignments) {
        return assignments.stream().map(Assignment::forward).toList();
    }

    static List<Link> links(final List<Assignment> assignments) {
        return paths(assignments).stream().flatMap(path -> path.links().stream()).toList();
    }

    /** A path visits no switch twice, leads from client to server, and comes back over the same cables. */
    static void assertSound(final Demand demand, final Assignment assignment, final String seed) {
        final var forward = assignment.forward();
        final var visited = new HashSet<>(List.of(forward.source()));
        forward.links().forEach(link -> assertTrue(visited.add(link.destination().switchId()), seed));
        assertEquals(demand.clientEdge(), forward.source(), seed);
        assertEquals(assignment.candidate().edge(), forward.destination(), seed);
        assertEquals(demand.clientEdge(), assignment.backward().destination(), seed);
        assertEquals(forward.links().reversed().stream().map(Link::destination).toList(),
            assignment.backward().links().stream().map(Link::source).toList(), seed);
        assertEquals(forward.links().reversed().stream().map(Link::source).toList(),
            assignment.backward().links().stream().map(Link::destination).toList(), seed);
    }
}

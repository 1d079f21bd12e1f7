// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.SwitchId;
import io.sluice.multipath.placement.LinkAdvice.Edge;
import io.sluice.multipath.placement.LinkAdvice.Offer;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LinkAdviceTest {
    private static final Rates RATES = Rates.equal(Bandwidth.ofMegabits(100));
    private static final Set<Integer> ALL = Set.of(1, 2, 3, 4);

    @Test
    void thePapersTestbedHasWhatItNeedsAndAPlainFatTreeLacksTwoAnEdge() {
        final var augmented = Topologies.fatTree(4, 2, RATES);
        assertEquals(Set.of(0), missing(LinkAdvice.of(augmented, List.of(everywhere(augmented)))));
        final var plain = Topologies.fatTree(4, 1, RATES);
        final var advice = LinkAdvice.of(plain, List.of(everywhere(plain)));
        assertEquals(8, advice.size());
        advice.forEach(edge -> assertEquals(new Edge(edge.switchId(), 2, 2), edge));
    }

    @Test
    void aServerThatWasNotSeenCountsNowhere() {
        final var fabric = Topologies.leafSpine(2, 2, 1, 1, RATES);
        assertEquals(List.of(), LinkAdvice.of(fabric, List.of(List.of(new Offer(Addresses.ip("10.200.0.1"), ALL)))));
    }

    @Test
    void moreLinksAreNeverNeededAndFewerAreNotEnough() {
        for (int seed = 0; seed < 500; seed++) {
            final var random = new Random(seed);
            final var fabric = Topologies.random(random, 3 + random.nextInt(3), random.nextInt(4),
                Bandwidth.ofMegabits(10));
            final var services = List.of(somewhere(fabric, random), somewhere(fabric, random));
            final var edges = LinkAdvice.of(fabric, services);
            assertEquals(fabric.hosts().stream().map(host -> host.attachment().switchId()).collect(Collectors.toSet()),
                edges.stream().map(Edge::switchId).collect(Collectors.toSet()), "seed " + seed);
            for (var edge : edges) {
                final long uplinks = fabric.links().stream()
                    .filter(link -> link.source().switchId().equals(edge.switchId())).count();
                assertEquals(uplinks, edge.uplinks(), "seed " + seed);
                final int most = services.stream().mapToInt(offers ->
                    mostCrossing(fabric, offers, edge.switchId())).sum();
                assertEquals(Math.max(0, most - uplinks), edge.missing(), "seed " + seed);
            }
        }
    }

    /** Over all requests, with each piece from each server that has it: the most pieces that cross the edge. */
    private static int mostCrossing(final FabricSnapshot fabric, final List<Offer> offers, final SwitchId edge) {
        int most = 0;
        for (var clientEdge : fabric.switches()) {
            for (var asked : subsets()) {
                most = Math.max(most, mostCrossing(fabric, offers, edge, clientEdge, asked));
            }
        }
        return most;
    }

    private static int mostCrossing(final FabricSnapshot fabric, final List<Offer> offers, final SwitchId edge,
            final SwitchId clientEdge, final Set<Integer> asked) {
        if (asked.isEmpty()) {
            return 0;
        }
        final var rest = new HashSet<>(asked);
        final int piece = rest.iterator().next();
        rest.remove(piece);
        int most = Integer.MIN_VALUE;
        for (var offer : offers) {
            if (offer.pieces().contains(piece)) {
                final var serverEdge = fabric.host(offer.server()).orElseThrow().attachment().switchId();
                final boolean crosses = !serverEdge.equals(clientEdge)
                    && (serverEdge.equals(edge) || clientEdge.equals(edge));
                most = Math.max(most, (crosses ? 1 : 0) + mostCrossing(fabric, offers, edge, clientEdge, rest));
            }
        }
        return most;
    }

    private static List<Set<Integer>> subsets() {
        final var subsets = new ArrayList<Set<Integer>>();
        for (int bits = 0; bits < 1 << ALL.size(); bits++) {
            final int chosen = bits;
            subsets.add(new HashSet<>(ALL.stream().filter(piece -> (chosen >> piece - 1 & 1) == 1).toList()));
        }
        return subsets;
    }

    private static List<Offer> somewhere(final FabricSnapshot fabric, final Random random) {
        return fabric.hosts().stream().map(host -> new Offer(Addresses.ipv4(host), somePieces(random))).toList();
    }

    private static Set<Integer> somePieces(final Random random) {
        final var pieces = new HashSet<Integer>();
        ALL.stream().filter(piece -> random.nextInt(3) == 0).forEach(pieces::add);
        return pieces;
    }

    private static List<Offer> everywhere(final FabricSnapshot fabric) {
        return fabric.hosts().stream().map(host -> new Offer(Addresses.ipv4(host), ALL)).toList();
    }

    private static Set<Integer> missing(final List<Edge> edges) {
        final var missing = new HashSet<Integer>();
        edges.forEach(edge -> missing.add(edge.missing()));
        return missing;
    }
}

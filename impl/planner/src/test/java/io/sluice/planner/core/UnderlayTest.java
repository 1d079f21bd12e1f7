// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Routing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class UnderlayTest {
    private static final double TOLERANCE = 1e-12;

    /** From 0 to 3 two ways are equally short; behind node 1 they split again over parallel links. */
    @Test
    void splitsEvenlyAtEachNode() {
        final var underlay = Underlay.shortestPaths(new Network(List.of("a", "b", "c", "d"), List.of(
            link(0, 1, 10), link(0, 2, 20), link(1, 3, 30), link(1, 3, 50), link(2, 3, 100))));

        final var load = new double[5];
        underlay.addTo(load, 0, 3, 8);

        assertArrayEquals(new double[] {4, 4, 2, 2, 4}, load);
        assertEquals((10 + 40 + 20 + 100) / 2.0, underlay.delayUs(0, 3));
    }

    @Test
    void knowsWhatIsOutOfReach() {
        final var underlay = Underlay.shortestPaths(new Network(List.of("a", "b"), List.of(link(0, 1, 10))));

        assertFalse(underlay.reaches(1, 0));
        assertEquals(0, underlay.delayUs(1, 1));
    }

    /** Nothing is as long as a way over a link that is down; where there is no other way, it is the way. */
    @Test
    void aLinkWithoutBandwidthIsRoutedAround() {
        final var down = new Link(0, 1, Bandwidth.ZERO, Bandwidth.ZERO, 1_000_000, 10, 1);
        final var long1 = new Link(0, 2, new Bandwidth(1), Bandwidth.ZERO, 1_000_000, 20, 1_000_000_000);
        final var long2 = new Link(2, 1, new Bandwidth(1), Bandwidth.ZERO, 1_000_000, 30, 1_000_000_000);
        final var nodes = List.of("a", "b", "c");

        assertEquals(50, Underlay.shortestPaths(new Network(nodes, List.of(down, long1, long2))).delayUs(0, 1));
        assertEquals(50, Underlay.shortestPaths(new Network(nodes, List.of(link(0, 1, 10).down(), long1, long2)))
            .delayUs(0, 1));
        assertEquals(10, Underlay.shortestPaths(new Network(nodes, List.of(down))).delayUs(0, 1));
    }

    /** An operator who routes all traffic the long way round is believed. */
    @Test
    void takesGivenFractions() {
        final var network = new Network(List.of("a", "b", "c"),
            List.of(link(0, 1, 10), link(0, 2, 20), link(2, 1, 30)));
        final var underlay = Underlay.given(network, (from, to) -> from == 0 && to == 1
            ? Optional.of(new double[] {0.25, 0.75, 0.75}) : Optional.empty());

        final var load = new double[3];
        underlay.addTo(load, 0, 1, 4);

        assertArrayEquals(new double[] {1, 3, 3}, load);
        assertEquals(0.25 * 10 + 0.75 * 50, underlay.delayUs(0, 1));
        assertFalse(underlay.reaches(0, 2));
    }

    /** Three quarters go the long way round, until a link of it is down. */
    @Test
    void followsTheRoutingsOfTheNetworkWhileTheirLinksAreUp() {
        final var links = List.of(link(0, 1, 10), link(0, 2, 20), link(2, 1, 30));
        final var network = new Network(List.of("a", "b", "c"), links,
            List.of(new Routing(0, 1, Map.of(0, 250_000, 1, 750_000, 2, 750_000))));
        final var underlay = Underlay.of(network);
        assertEquals(0.25 * 10 + 0.75 * 50, underlay.delayUs(0, 1));
        assertEquals(20, underlay.delayUs(0, 2));
        final var instance = Instance.of(new Problem(network, List.of(), List.of(), List.of()));
        assertEquals(underlay.delayUs(0, 1), instance.underlay().delayUs(0, 1));

        assertEquals(10, Underlay.of(network.withLinks(List.of(links.get(0), links.get(1), links.get(2).down())))
            .delayUs(0, 1));
        final var closed = new Link(0, 2, Bandwidth.ZERO, Bandwidth.ZERO, 1_000_000, 20, 1);
        assertEquals(10, Underlay.of(network.withLinks(List.of(links.get(0), closed, links.get(2)))).delayUs(0, 1));
    }

    /** The way round takes 7, whatever its links say, until one of it is down; b to a takes 8, and nobody gets to c. */
    @Test
    void measuredDelaysStandInForThoseOfLinks() {
        final var links = List.of(link(0, 1, 10), link(1, 0, 20));
        final var network = new Network(List.of("a", "b", "c"), links, List.of(
            new Routing(0, 1, Map.of(0, 1_000_000), OptionalLong.of(7)),
            new Routing(1, 0, Map.of(), OptionalLong.of(8)), new Routing(0, 2, Map.of(), OptionalLong.of(9))));
        final var underlay = Underlay.of(network);
        assertEquals(7, underlay.delayUs(0, 1));
        assertEquals(8, underlay.delayUs(1, 0));
        assertFalse(underlay.reaches(0, 2));
        final var load = new double[2];
        underlay.addTo(load, 1, 0, 4);
        assertArrayEquals(new double[] {0, 4}, load);
        assertEquals(10, Underlay.of(network.withLinks(List.of(links.get(0).down(), links.get(1)))).delayUs(0, 1));
        assertEquals("a routing has links or a delay",
            assertThrows(IllegalArgumentException.class, () -> new Routing(0, 1, Map.of())).getMessage());
    }

    /** 50 were measured on the way of 10; the way round takes 60, and a link elsewhere changes nothing. */
    @Test
    void aMeasuredDelayGoesWithTheShortestWay() {
        final var links = List.of(link(0, 1, 10), link(0, 2, 20), link(2, 1, 40), link(1, 0, 10));
        final var network = new Network(List.of("a", "b", "c"), links,
            List.of(new Routing(0, 1, Map.of(), OptionalLong.of(50))));
        assertEquals(50, Underlay.of(network).delayUs(0, 1));
        for (int down = 0; down < links.size(); down++) {
            final var left = new ArrayList<>(links);
            left.set(down, links.get(down).down());
            assertEquals(down == 0 ? 60 : 50, Underlay.of(network.withLinks(left)).delayUs(0, 1), "link " + down);
        }
    }

    @Test
    void refusesRoutingsThatLoseOrInventTraffic() {
        assertEquals("routing from a to b: 750000 ppm are missing at b", refusal(0, 1, Map.of(0, 250_000, 1, 750_000)));
        assertEquals("routing from a to b: 500000 ppm are missing at a", refusal(0, 1, Map.of(0, 1_000_000, 1, 500_000,
            2, 500_000)));
        assertEquals("a share of 1000001 ppm", refusal(0, 1, Map.of(0, 1_000_001)));
        assertEquals("a routing from node 1 to itself", refusal(1, 1, Map.of(0, 1)));
        assertEquals("link 3 of 3", refusal(0, 1, Map.of(3, 1_000_000)));
    }

    private static String refusal(final int from, final int to, final Map<Integer, Integer> ppmOfLink) {
        final var links = List.of(link(0, 1, 10), link(0, 2, 20), link(2, 1, 30));
        return assertThrows(IllegalArgumentException.class, () -> new Network(List.of("a", "b", "c"), links,
            List.of(new Routing(from, to, ppmOfLink)))).getMessage();
    }

    @Test
    void conservesTraffic() {
        for (long seed = 0; seed < 100; seed++) {
            final var network = RandomProblems.of(seed).network();
            final var underlay = Underlay.shortestPaths(network);
            final int nodes = network.nodes().size();
            for (int pair = 0; pair < nodes * nodes; pair++) {
                checkBalance("seed " + seed, network, underlay, pair / nodes, pair % nodes);
            }
        }
    }

    private static void checkBalance(final String label, final Network network, final Underlay underlay,
            final int from, final int to) {
        final var load = new double[network.links().size()];
        underlay.addTo(load, from, to, 1);
        final var balance = new double[network.nodes().size()];
        balance[from] += 1;
        balance[to] -= 1;
        for (int link = 0; link < load.length; link++) {
            balance[network.links().get(link).from()] -= load[link];
            balance[network.links().get(link).to()] += load[link];
        }
        assertArrayEquals(new double[balance.length], balance, TOLERANCE, label);
    }

    private static Link link(final int from, final int to, final long delayUs) {
        return new Link(from, to, new Bandwidth(1), Bandwidth.ZERO, 1_000_000, delayUs, 1);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Link;
import io.sluice.multipath.placement.FlowView;
import io.sluice.multipath.placement.PlacedRates;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FlowBookTest {
    private static final int CASES = 300;
    private static final int CONNECTIONS = 12;
    private static final long SECOND_NS = 1_000_000_000;

    private final EngineBed bed = new EngineBed(
        Topologies.leafSpine(2, 2, 1, 1, Rates.equal(Bandwidth.ofMegabits(100))),
        new MultipathConfig(Strategy.JOINT, 1000, new PlacerSettings(0, 0, 0), 60_000, Map.of(), Map.of()));

    /** The slow way: a book that sees the flows that are there for the first time. */
    @Test
    void theWorldIsWhatANewBookWouldSay() {
        for (int port = 1000; port < 1000 + CONNECTIONS; port++) {
            connect(port);
        }
        final var flows = List.copyOf(bed.engine.flows());
        assertEquals(CONNECTIONS, flows.size());
        for (int seed = 0; seed < CASES; seed++) {
            final var random = new Random(seed);
            final var book = new FlowBook(new LinkHistory());
            for (int step = 0; step < CONNECTIONS; step++) {
                final var flow = flows.get(random.nextInt(flows.size()));
                if (random.nextInt(3) == 0) {
                    book.remove(flow.record().id());
                } else {
                    final var traffic = new Traffic(1, random.nextInt(2) * 1_000_000L);
                    book.put(flow.withUsage(Usage.none(0).sampled(traffic, traffic, random.nextInt(2) * SECOND_NS)));
                }
                assertSame(book, "seed " + seed + ", step " + step);
            }
        }
    }

    @Test
    void whatAFlowCarriedIsNotBackgroundOnceItHasMovedOrEnded() {
        connect(1000);
        connect(1001);
        final var flows = List.copyOf(bed.engine.flows());
        final var there = flows.getLast();
        final var traffic = new Traffic(1, 1_000_000);
        final var here = flows.getFirst().withUsage(Usage.none(0).sampled(traffic, traffic, SECOND_NS));
        assertNotEquals(here.forward(), there.forward());
        final var loaded = new FabricSnapshot(1, bed.whole.switches(), bed.whole.ports(), bed.whole.links().stream()
            .map(link -> here.forward().links().contains(link) || here.backward().links().contains(link)
                ? new Link(link.source(), link.destination(), link.capacity(), Bandwidth.ofMegabits(8)) : link)
            .toList(), bed.whole.hosts());
        final var book = new FlowBook(new LinkHistory());
        book.put(here);
        assertEquals(Set.of(Bandwidth.ZERO), Set.copyOf(book.world(loaded).background().values()));

        book.put(here.moved(here.record(), there.forward(), there.backward(), here.why(), here.placed(), 0));
        assertEquals(List.of(there.forward()), book.world(loaded).flows().stream().map(FlowView::forward).toList());
        assertEquals(Set.of(Bandwidth.ZERO), Set.copyOf(book.world(loaded).background().values()));

        book.remove(here.record().id());
        assertEquals(List.of(), book.world(loaded).flows());
        assertEquals(Set.of(Bandwidth.ZERO), Set.copyOf(book.world(loaded).background().values()));
    }

    private void assertSame(final FlowBook book, final String when) {
        final var anew = new FlowBook(new LinkHistory());
        book.all().forEach(anew::put);
        final var expected = anew.world(bed.whole);
        final var world = book.world(bed.whole);
        assertEquals(Set.copyOf(expected.flows()), Set.copyOf(world.flows()), when);
        assertEquals(expected.background(), world.background(), when);
        assertEquals(new PlacedRates(expected).wanting(expected.flows()),
            new PlacedRates(world).wanting(world.flows()), when);
    }

    private void connect(final int port) {
        bed.connect(bed.host(0), new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(bed.host(0)),
            Addresses.ipv4(bed.host(1)), port, 80));
    }

    @Test
    void aFlowWhosePathIsBrokenIsNotTakenToCarry() {
        connect(1000);
        final var flow = bed.engine.flows().iterator().next();
        final var links = new LinkHistory();
        final var book = new FlowBook(links);
        book.put(flow);
        links.observe(bed.whole, 0);
        assertEquals(List.of(flow.record().id()),
            book.world(bed.whole).flows().stream().map(FlowView::id).toList());
        assertEquals(List.of(), book.observe());

        final var cut = Topologies.without(bed.whole, List.of(flow.forward().links().getFirst()));
        links.observe(cut, 1);
        assertEquals(List.of(flow), book.observe());
        assertEquals(List.of(), book.world(cut).flows());

        links.observe(bed.whole, 2);
        assertEquals(List.of(), book.observe());
        assertEquals(1, book.world(bed.whole).flows().size());
    }
}

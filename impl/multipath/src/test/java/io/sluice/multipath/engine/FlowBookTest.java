// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.multipath.placement.FlowView;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlowBookTest {
    private final EngineBed bed = new EngineBed(
        Topologies.leafSpine(2, 2, 1, 1, Rates.equal(Bandwidth.ofMegabits(100))),
        new MultipathConfig(Strategy.JOINT, 1000, new PlacerSettings(0, 0, 0), 60_000, Map.of(), Map.of()));

    @Test
    void aFlowWhosePathIsBrokenIsNotTakenToCarry() {
        bed.connect(bed.host(0), new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(bed.host(0)),
            Addresses.ipv4(bed.host(1)), 1000, 80));
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

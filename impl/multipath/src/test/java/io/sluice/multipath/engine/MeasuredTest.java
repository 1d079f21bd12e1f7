// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.PathLabel;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.FlowState.Reason;
import io.sluice.multipath.engine.Measured.Carried;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.multipath.steering.FlowRecord;
import io.sluice.multipath.steering.Purpose;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Three switches in a row with two cables between neighbours. */
class MeasuredTest {
    private static final FabricSnapshot FABRIC = Topologies.line(3, 2, 1, Rates.equal(Bandwidth.ofMegabits(100)));
    private static final List<Link> FIRST = between(1, 2);
    private static final List<Link> SECOND = between(2, 3);
    private static final long GAIN_PPM = 100_000;

    @Test
    void aLinkYieldsWhatTheBestFlowOverItGot() {
        final var measured = new Measured(List.of(carried(30, FIRST.getFirst(), SECOND.getFirst()),
            carried(90, FIRST.getFirst(), SECOND.getLast())));
        assertEquals(Map.of(FIRST.getFirst().source(), 0.9, SECOND.getFirst().source(), 0.3,
            SECOND.getLast().source(), 0.9), measured.yields());
        assertEquals(Bandwidth.ofMegabits(120), measured.total());
    }

    @Test
    void whatHoldsUpAllFlowsIsNoFaultOfALink() {
        final var measured = new Measured(List.of(carried(46, FIRST.getFirst(), SECOND.getFirst()),
            carried(50, FIRST.getLast(), SECOND.getFirst()), carried(25, FIRST.getLast(), SECOND.getLast())));
        assertEquals(Map.of(FIRST.getFirst().source(), 1.0, SECOND.getFirst().source(), 1.0,
            FIRST.getLast().source(), 1.0, SECOND.getLast().source(), 0.5), measured.relativeYields(GAIN_PPM));
    }

    @Test
    void aSlowServerIsNoFaultOfALink() {
        final var measured = new Measured(List.of(carriedFrom(2, 20, FIRST.getFirst(), SECOND.getFirst()),
            carriedFrom(2, 19, FIRST.getFirst(), SECOND.getFirst()),
            carriedFrom(3, 90, FIRST.getLast(), SECOND.getLast())));
        assertEquals(Map.of(FIRST.getFirst().source(), 1.0, SECOND.getFirst().source(), 1.0,
            FIRST.getLast().source(), 1.0, SECOND.getLast().source(), 1.0), measured.relativeYields(GAIN_PPM));
    }

    @Test
    void theOnlyPieceOfAServerTellsNothingOfItsLinksUnlessItIsAsFastAsAny() {
        final var measured = new Measured(List.of(carriedFrom(2, 20, FIRST.getFirst(), SECOND.getFirst()),
            carriedFrom(3, 90, FIRST.getLast(), SECOND.getLast())));
        assertEquals(Map.of(FIRST.getLast().source(), 1.0, SECOND.getLast().source(), 1.0),
            measured.relativeYields(GAIN_PPM));
    }

    @Test
    void nothingYieldsMoreThanItsShare() {
        final var measured = new Measured(List.of(carried(150, FIRST.getFirst(), SECOND.getFirst())));
        assertEquals(1.0, measured.yields().get(FIRST.getFirst().source()));
    }

    /** A flow that sent {@code megabits} of the hundred it was expected to. */
    private static Carried carried(final int megabits, final Link... links) {
        return carriedFrom(2, megabits, links);
    }

    private static Carried carriedFrom(final int host, final int megabits, final Link... links) {
        final var rate = Bandwidth.ofMegabits(megabits);
        final var forward = new Path(links[0].source().switchId(), links[1].destination().switchId(), List.of(links));
        final var backward = new Path(forward.destination(), forward.source(), Arrays.stream(links).toList().reversed()
            .stream().map(link -> FABRIC.linkFrom(link.destination()).orElseThrow()).toList());
        final var server = Addresses.ip("10.0.0." + host);
        final var key = FlowKey.toPort(6, Addresses.ip("10.0.0.1"), server, 80);
        final var record = new FlowRecord(1, key, server, List.of(key.clients()), forward.source(),
            forward.destination(),
            Optional.of(new FlowRecord.Labels(new PathLabel(1), new PathLabel(2))), Purpose.plain("JOINT"));
        final var usage = new Usage(new Traffic(1, 1), new Traffic(0, 0), rate,
            Bandwidth.ZERO, 0, 0);
        return new Carried(new FlowState(record, forward, backward, Optional.empty(), Reason.RESTORED, Instant.EPOCH, 0,
            0, usage, Optional.empty()), usage, Bandwidth.ofMegabits(100));
    }

    private static List<Link> between(final int from, final int to) {
        return FABRIC.links().stream().filter(link -> link.source().switchId().equals(id(from))
            && link.destination().switchId().equals(id(to))).toList();
    }

    private static SwitchId id(final int number) {
        return new SwitchId("openflow:" + number);
    }
}

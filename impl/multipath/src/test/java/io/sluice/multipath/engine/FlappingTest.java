// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Link;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One link comes and goes, of two ways the much better one. */
class FlappingTest {
    private static final FabricSnapshot EVEN =
        Topologies.leafSpine(2, 2, 1, 1, Rates.equal(new Bandwidth(1_000)));
    private static final Bandwidth FAST = new Bandwidth(10_000);
    private static final FabricSnapshot UNEVEN = withFastFirstSpine();
    private static final Connection CONNECTION = new Connection(FlowMatch.PROTOCOL_TCP,
        Addresses.ipv4(EVEN.hosts().getFirst()), Addresses.ipv4(EVEN.hosts().getLast()), 1000, 80);
    private static final long HOLD_S = 30;
    /** Makes the flow want more than the slow way has. */
    private static final int PACKETS = 5;

    private final EngineBed bed = new EngineBed(UNEVEN, new MultipathConfig(Strategy.JOINT, 1000,
        new PlacerSettings(250_000, 100_000, HOLD_S * 1_000_000_000), 3_600_000, Map.of(), Map.of()));

    @Test
    void aFlappingLinkCausesAtMostTwoReroutesAMinute() {
        final var flapping = placedOnFastLink();
        final var moves = new ArrayList<>(List.of(0L));
        for (int second = 0; second < 180; second++) {
            bed.cut(flapping);
            review(false);
            bed.restore(flapping);
            review(false);
            moves.add(bed.events.stream().filter(event -> event.startsWith("moved")).count());
        }
        assertTrue(moves.getLast() >= 1, bed.events::toString);
        for (int second = 60; second < moves.size(); second++) {
            assertTrue(moves.get(second) - moves.get(second - 60) <= 2, moves::toString);
        }
        assertTrue(bed.send(bed.host(0), bed.host(1), CONNECTION).endsOnlyAt(bed.host(1)));
    }

    @Test
    void aLinkThatWentAndCameWhileTheEngineHadOtherThingsToDoMovesNobody() {
        final var link = placedOnFastLink();
        bed.network.cut(link);
        bed.announce(bed.network.snapshot());
        bed.network.restore(link);
        bed.show(bed.network.snapshot());
        assertEquals(List.of("placed"), bed.events);
        assertTrue(bed.send(bed.host(0), bed.host(1), CONNECTION).links().contains(link));

        bed.cut(link);
        assertEquals(List.of("placed", "moved PATH_BROKEN"), bed.events);
    }

    @Test
    void aLinkThatIsBackForTheHoldTimeServesAgain() {
        final var link = placedOnFastLink();
        bed.cut(link);
        bed.restore(link);
        bed.clock.advance(Duration.ofSeconds(HOLD_S - 1));
        assertEquals(0, review(true));
        assertEquals(1, review(true));
        assertEquals(0, review(true));
        assertEquals(List.of("placed", "moved PATH_BROKEN", "moved BETTER_PATH"), bed.events);
    }

    @Test
    void aLinkThatCameBackServesAtOnceIfThereIsNoOther() {
        final var link = placedOnFastLink();
        bed.cut(link);
        final var other = bed.engine.flows().iterator().next().forward().links().getFirst();
        bed.restore(link);
        bed.cut(other);
        assertTrue(bed.send(bed.host(0), bed.host(1), CONNECTION).links().contains(link));
        assertEquals(List.of("placed", "moved PATH_BROKEN", "moved PATH_BROKEN"), bed.events);
    }

    private Link placedOnFastLink() {
        bed.connect(bed.host(0), CONNECTION);
        final var link = bed.engine.flows().iterator().next().forward().links().getFirst();
        assertEquals(FAST, link.capacity());
        return link;
    }

    /** Half a second later. */
    private int review(final boolean regardless) {
        for (int packet = 0; packet < PACKETS; packet++) {
            bed.send(bed.host(0), bed.host(1), CONNECTION);
        }
        bed.clock.advance(Duration.ofMillis(500));
        return bed.await(bed.engine.review(regardless));
    }

    private static FabricSnapshot withFastFirstSpine() {
        final var spine = EVEN.links().getFirst().destination().switchId();
        return new FabricSnapshot(EVEN.version(), EVEN.switches(), EVEN.ports(), EVEN.links().stream()
            .map(link -> link.source().switchId().equals(spine) || link.destination().switchId().equals(spine)
                ? new Link(link.source(), link.destination(), FAST, Bandwidth.ZERO) : link)
            .toList(), EVEN.hosts());
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Link;
import io.sluice.api.PortId;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.Split.Mode;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A transfer of two pieces between two leaves with three spines, whose links may carry less than they should. */
class SplitsTest {
    private static final Bandwidth CAPACITY = new Bandwidth(8_000);
    private static final Bandwidth FRACTION = new Bandwidth(800);
    private static final FabricSnapshot FABRIC = Topologies.leafSpine(2, 3, 1, 1, Rates.equal(CAPACITY));
    private static final long HOLD_S = 30;
    private static final long REVIEW_S = RealLinks.REFRESH.toSeconds();

    private final EngineBed bed = new EngineBed(FABRIC, config());
    private final RealLinks real = new RealLinks(bed);

    @BeforeEach
    void request() {
        bed.await(bed.engine.request(transfer("download", 1, 2)));
        assertEquals(2, uplinks().size());
        bed.events.clear();
    }

    @Test
    void aTransferThatGetsWhatItShouldStaysSpread() {
        for (int review = 0; review < 20; review++) {
            assertEquals(0, real.review());
        }
        final var split = split();
        assertEquals(Mode.SPREAD, split.mode());
        assertEquals(new Bandwidth(16_000), split.measured());
        assertEquals(CAPACITY, split.singlePath());
        assertEquals(List.of(), bed.events);
        assertEquals(Map.of(), bed.engine.yields());
    }

    @Test
    void aTransferThatIsSlowerThanOnePathGoesThere() {
        final var before = uplinks();
        bed.engine.flows().forEach(flow -> real.degrade(flow, FRACTION));
        reviewUntil("split SINGLE_PATH");
        assertEquals(List.of("moved SINGLE_PATH", "moved SINGLE_PATH", "split SINGLE_PATH",
            "split TRYING_SINGLE_PATH"), bed.events.stream().sorted().toList());
        assertEquals(1, uplinks().size());
        assertFalse(before.containsAll(uplinks()));
        assertEquals(CAPACITY, split().measured());
        assertTrue(bed.engine.flows().iterator().next().why().assignment().orElseThrow().weighing().because()
            .endsWith("its transfer carried 1600 bit/s over several paths"));
    }

    @Test
    void nothingIsTriedBeforeTheHoldTimeAndTwoReviews() {
        bed.engine.flows().forEach(flow -> real.degrade(flow, FRACTION));
        for (long second = REVIEW_S; second < HOLD_S; second += REVIEW_S) {
            assertEquals(0, real.review());
        }
        assertEquals(2, real.review());
        assertEquals(0, real.review());
        assertEquals(Mode.TRYING_SINGLE_PATH, split().mode());
    }

    @Test
    void piecesSpreadAgainWhenTheOldPathsAreBelievedAgain() {
        bed.engine.flows().forEach(flow -> real.degrade(flow, FRACTION));
        reviewUntil("split SINGLE_PATH");
        real.mend();
        for (int review = 0; review < 10; review++) {
            assertEquals(0, real.review());
        }
        reviewUntil("moved BETTER_PATH");
        assertEquals(2, uplinks().size());
        assertEquals(Mode.SPREAD, split().mode());
        assertEquals(new Bandwidth(16_000), reviewed(3).measured());
    }

    @Test
    void whatATrialHasShownOfTheOldPathsIsRemembered() {
        final var left = bed.engine.flows().stream().flatMap(flow -> flow.forward().links().stream())
            .map(Link::source).collect(Collectors.toSet());
        bed.engine.flows().forEach(flow -> real.degrade(flow, FRACTION));
        reviewUntil("split SINGLE_PATH");
        assertEquals(left, bed.engine.yields().keySet());
        bed.engine.yields().values().forEach(yield -> assertEquals(0.1, yield, 0.01));
    }

    @Test
    void aSinglePathThatIsNoFasterIsLeftAndTriedMoreAndMoreSeldom() {
        final var before = uplinks();
        real.limit(FRACTION);
        reviewUntil("split SPREAD");
        assertEquals(List.of("moved SINGLE_PATH", "moved SINGLE_PATH", "moved SPREAD_AGAIN", "moved SPREAD_AGAIN",
            "split SPREAD", "split TRYING_SINGLE_PATH"), bed.events.stream().sorted().toList());
        assertEquals(before, uplinks());
        for (int review = 0; review < 3600 / REVIEW_S; review++) {
            real.review();
        }
        final long trials = bed.events.stream().filter("split TRYING_SINGLE_PATH"::equals).count();
        assertTrue(trials >= 4 && trials <= 7, bed.events::toString);
    }

    @Test
    void aPieceThatEndsBetweenTwoReviewsIsNotSlow() {
        real.review();
        real.review();
        real.review();
        real.carry(0.05);
        real.end(bed.engine.flows().iterator().next());
        real.carry(0.95);
        assertEquals(0, bed.await(bed.engine.review(false)));
        assertEquals(0, real.review());
        assertEquals(0, real.review());
        assertEquals(List.of(), bed.events);
    }

    @Test
    void aLinkLostDuringATrialEndsIt() {
        bed.engine.flows().forEach(flow -> real.degrade(flow, FRACTION));
        reviewUntil("split TRYING_SINGLE_PATH");
        bed.cut(bed.engine.flows().iterator().next().forward().links().getFirst());
        reviewUntil("split SPREAD");
        assertFalse(bed.events.contains("moved SPREAD_AGAIN"), bed.events::toString);
    }

    @Test
    void aSinglePathThatSlowsDownIsLeftBeforeItsTime() {
        goToSinglePath();
        real.degrade(bed.engine.flows().iterator().next(), FRACTION);
        real.review();
        assertEquals(Mode.SINGLE_PATH, split().mode());
        real.review();
        assertEquals(Mode.SPREAD, split().mode());
    }

    @Test
    void aPieceThatEndsOnASinglePathDoesNotSlowItDown() {
        goToSinglePath();
        real.end(bed.engine.flows().iterator().next());
        assertEquals(Mode.SINGLE_PATH, reviewed(2).mode());
    }

    @Test
    void aSinglePathThatBreaksIsNoneAtOnce() {
        goToSinglePath();
        bed.cut(bed.engine.flows().iterator().next().forward().links().getFirst());
        assertTrue(bed.events.contains("moved PATH_BROKEN"), bed.events::toString);
        assertEquals(Mode.SPREAD, split().mode());
        assertEquals("split SPREAD", bed.events.stream().filter(event -> event.startsWith("split")).toList().getLast());
    }

    @Test
    void aRebalanceMovesFlowsOffASinglePath() {
        goToSinglePath();
        final var loaded = uplinks();
        bed.show(new FabricSnapshot(FABRIC.version(), FABRIC.switches(), FABRIC.ports(), FABRIC.links().stream()
            .map(link -> !loaded.contains(link.source()) ? link
                : new Link(link.source(), link.destination(), link.capacity(), new Bandwidth(20_000))).toList(),
            FABRIC.hosts()));
        assertEquals(0, real.review());
        real.carry(1);
        assertTrue(bed.await(bed.engine.review(true)) > 0);
        assertEquals(Mode.SPREAD, split().mode());
        assertFalse(loaded.containsAll(uplinks()));
    }

    @Test
    void aReleasedTransferIsForgotten() {
        bed.engine.flows().forEach(flow -> real.degrade(flow, FRACTION));
        reviewUntil("split TRYING_SINGLE_PATH");
        bed.engine.release("download");
        real.review();
        assertEquals(List.of(), List.copyOf(bed.engine.splits()));
        bed.runUntil(bed::isBare);
    }

    @Test
    void aPieceLeavesAPathThatYieldsLittleAndLaterOnesAvoidIt() {
        final var slow = bed.engine.flows().iterator().next();
        final var avoided = slow.forward().links().getFirst().source();
        real.degrade(slow, FRACTION);
        reviewUntil("moved BETTER_PATH");
        assertEquals(slow.forward().links().stream().map(Link::source).collect(Collectors.toSet()),
            bed.engine.yields().keySet());
        assertTrue(bed.engine.yields().get(avoided) < 0.6);
        assertFalse(uplinks().contains(avoided));
        bed.await(bed.engine.request(transfer("second", 3)));
        assertFalse(uplinks().contains(avoided));
    }

    @Test
    void aPathThatWasNotMeasuredForLongIsTriedAgain() {
        final var slow = bed.engine.flows().iterator().next();
        real.degrade(slow, FRACTION);
        reviewUntil("moved BETTER_PATH");
        final var link = slow.forward().links().getFirst().source();
        final double before = bed.engine.yields().get(link);
        bed.engine.release("download");
        bed.clock.advance(Duration.ofSeconds(16 * HOLD_S).minus(RealLinks.REFRESH));
        real.review();
        assertEquals((1 + before) / 2, bed.engine.yields().get(link), 1e-6);
        bed.clock.advance(Duration.ofSeconds(64 * HOLD_S));
        real.review();
        assertEquals(Map.of(), bed.engine.yields());
        bed.await(bed.engine.request(transfer("download", 1, 2, 3)));
        assertEquals(3, uplinks().size());
    }

    private void goToSinglePath() {
        bed.engine.flows().forEach(flow -> real.degrade(flow, FRACTION));
        reviewUntil("split SINGLE_PATH");
    }

    private Set<PortId> uplinks() {
        return bed.engine.flows().stream().map(flow -> flow.forward().links().getFirst().source())
            .collect(Collectors.toSet());
    }

    private Split split() {
        return bed.engine.splits().iterator().next();
    }

    private Split reviewed(final int times) {
        for (int review = 0; review < times; review++) {
            real.review();
        }
        return split();
    }

    private void reviewUntil(final String event) {
        for (int review = 0; review < 100 && !bed.events.contains(event); review++) {
            real.review();
        }
        assertTrue(bed.events.contains(event), bed.events::toString);
    }

    private static Transfer transfer(final String name, final Integer... pieces) {
        return new Transfer(name, Addresses.ipv4(FABRIC.hosts().getFirst()), "files", List.of(pieces),
            Optional.empty(), OptionalLong.empty());
    }

    private static MultipathConfig config() {
        final var ports = List.of(new ServerPort(8001, 1), new ServerPort(8002, 2), new ServerPort(8003, 3));
        final var service = new Service("files", FlowMatch.PROTOCOL_TCP, Optional.empty(), OptionalInt.empty(), 3,
            OptionalInt.empty(), Optional.empty(),
            List.of(new Server("s1", Addresses.ipv4(FABRIC.hosts().getLast()), 100, 1, ports)), 60_000);
        return new MultipathConfig(Strategy.JOINT, RealLinks.REFRESH.toMillis(),
            new PlacerSettings(250_000, 100_000, HOLD_S * 1_000_000_000), 3_600_000, Map.of("files", service),
            Map.of());
    }
}

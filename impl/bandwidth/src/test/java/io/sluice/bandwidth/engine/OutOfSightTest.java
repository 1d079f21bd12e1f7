// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.INTERVAL_US;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.guaranteed;
import static io.sluice.bandwidth.engine.EngineBed.id;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static io.sluice.bandwidth.engine.EngineBed.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Path;
import io.sluice.api.Port;
import io.sluice.bandwidth.FlowReport;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two switches with two hosts each, some of which nobody sees for a while: what becomes of their flows' meters. */
class OutOfSightTest {
    private static final FabricSnapshot NETWORK = Topologies.line(2, 1, 2, new Topologies.Rates(
        Bandwidth.ofMegabits(100), Bandwidth.ofMegabits(10), Bandwidth.ofMegabits(10)));

    /** The same with two cables. */
    private static final FabricSnapshot WIDE = Topologies.line(2, 2, 2, new Topologies.Rates(
        Bandwidth.ofMegabits(100), Bandwidth.ofMegabits(10), Bandwidth.ofMegabits(10)));

    private final EngineBed bed = new EngineBed(NETWORK);

    @Test
    void aFlowThatIsOutOfSightKeepsItsMeter() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        final var before = bed.meters();

        bed.show(new FabricSnapshot(2, NETWORK.switches(), NETWORK.ports(), NETWORK.links(), List.of()));

        assertEquals(before, bed.meters());
        assertTrue(bed.state("a").pending().isPresent());
    }

    @Test
    void whatAMeterOutOfSightLetsPassIsNobodyElsesForAMinute() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        final var before = bed.meters();

        bed.show(withHosts(2, 0, 2, 3));
        assertEquals(before, bed.meters());
        assertEquals(5, bed.megabits("a"));

        bed.clock.advance(Duration.ofMinutes(1));
        bed.reallocate();
        assertEquals(10, bed.megabits("a"));
    }

    @Test
    void aHostWhosePortOrSwitchIsLostIsOutOfSightAndSaidSo() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        final var at = NETWORK.host(Addresses.ip("10.0.0.2")).orElseThrow().attachment();
        final var ports = new HashMap<>(NETWORK.ports());
        ports.computeIfPresent(at, (id, port) ->
            new Port(id, port.name(), false, port.capacity(), port.received(), port.sent()));
        bed.show(new FabricSnapshot(2, NETWORK.switches(), ports, NETWORK.links(), NETWORK.hosts()));
        assertEquals(Optional.of("port " + at + " of the host with address 10.0.0.2 is down; see to its cable"),
            bed.state("b").pending());
        assertEquals(5, bed.megabits("a"));

        ports.remove(at);
        bed.show(new FabricSnapshot(4, NETWORK.switches(), ports, NETWORK.links(), NETWORK.hosts()));
        assertEquals(Optional.of("port " + at + " of the host with address 10.0.0.2 is gone; have the host send "
            + "something where it is now"), bed.state("b").pending());

        ports.keySet().removeIf(port -> port.switchId().equals(at.switchId()));
        bed.show(new FabricSnapshot(3, Set.of(node(2)), ports, List.of(), NETWORK.hosts()));
        assertEquals(Optional.of("openflow:1 with the host with address 10.0.0.2 is not attached; see to its session"),
            bed.state("b").pending());
    }

    @Test
    void whoComesMeanwhileHasAnEqualPartOfWhatNoGuaranteeKeeps() {
        bed.configure(limited(guaranteed(flow("b", 2, 4), 4), 10));
        bed.show(withHosts(2, 0, 2, 3));

        bed.configure(flow("a", 1, 3), limited(guaranteed(flow("b", 2, 4), 4), 10));

        assertEquals(3, bed.megabits("a"));
    }

    @Test
    void aFallThatNobodyConfirmsHoldsOthersBackForAMinute() {
        final var network = Topologies.line(3, 1, 1, Topologies.Rates.equal(Bandwidth.ofMegabits(10)));
        final var three = new EngineBed(network);
        three.configure(flow("a", 1, 3), limited(flow("b", 2, 3), 2));
        three.programmer.detach(node(1));
        three.configure(limited(flow("a", 1, 3), 1), flow("b", 2, 3));

        three.show(new FabricSnapshot(2, network.switches(), network.ports(), network.links(),
            network.hosts().subList(1, 3)));
        assertTrue(three.state("b").pending().orElseThrow().startsWith("rises when"), three.state("b")::toString);

        three.clock.advance(Duration.ofMinutes(1));
        three.reallocate();
        three.reallocate();
        assertEquals(10, three.megabits("b"));
        assertEquals(Optional.empty(), three.state("b").pending());
    }

    @Test
    void whatItKeepsIsOnThePathThatItHadLast() {
        final var wide = new EngineBed(WIDE);
        wide.routes = match -> List.of(path(0));
        wide.configure(limited(guaranteed(flow("a", 1, 3), 6), 6), flow("b", 2, 4));
        wide.routes = match -> List.of(path(1));
        wide.reallocate();

        wide.show(new FabricSnapshot(2, WIDE.switches(), WIDE.ports(), WIDE.links(), WIDE.hosts().subList(1, 4)));

        assertEquals(4, wide.megabits("b"));
    }

    @Test
    void whatIsSpreadOverPathsKeepsAPartOfEach() {
        final var wide = new EngineBed(WIDE);
        wide.routes = match -> match.equals(flow("a", 1, 3).packets().match()) ? List.of(path(0), path(1))
            : List.of(path(0));
        wide.configure(limited(guaranteed(flow("a", 1, 3), 6), 6), flow("b", 2, 4));

        wide.show(new FabricSnapshot(2, WIDE.switches(), WIDE.ports(), WIDE.links(), WIDE.hosts().subList(1, 4)));

        assertEquals(7, wide.megabits("b"));
    }

    @Test
    void whatWasIdleKeepsNothing() {
        bed.configure(flow("a", 1, 3), limited(flow("b", 2, 4), 10));
        bed.engine.report(id("b"), new FlowReport(0, 0, 0, 0, 0), INTERVAL_US);
        bed.reallocate();

        bed.show(withHosts(2, 0, 2, 3));
        bed.reallocate();

        assertEquals(10, bed.megabits("a"));
        assertTrue(bed.state("b").meter().isPresent());
    }

    @Test
    void aFlowOfOtherPacketsThatNobodySeesLeavesThemToWhoHasThemNow() {
        bed.configure(limited(flow("a", 1, 3), 2));

        bed.configure(limited(flow("a", 1, 77), 2), limited(flow("b", 1, 3), 3));

        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 3000L), bed.meters());
        assertEquals(Optional.empty(), bed.state("b").pending());
        bed.events.clear();
        bed.reallocate();
        assertEquals(List.of(), bed.events);
    }

    @Test
    void nothingRisesBeforeAllIsSeenAgainThatAnEarlierControllerHasMetered() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        final var before = bed.meters();
        bed.start();
        bed.show(withHosts(2, 0, 2, 3));

        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        assertEquals(before, bed.meters());
        assertTrue(bed.state("a").pending().orElseThrow().startsWith("rises when all flows are seen again"));

        bed.show(withHosts(3, 0, 1, 2, 3));
        assertEquals(before, bed.meters());
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void anEarlierControllersMetersHoldNobodyBackForMoreThanAMinute() {
        final var match = bed.match(2, 4);
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        bed.start();
        bed.show(withHosts(2, 0, 2, 3));
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));

        bed.clock.advance(Duration.ofMinutes(1));
        bed.reallocate();
        bed.reallocate();

        assertEquals(Map.of("openflow:1 " + match, 5000L), bed.meters());
    }

    /** The network with some of its hosts. */
    private static FabricSnapshot withHosts(final long version, final int... hosts) {
        return new FabricSnapshot(version, NETWORK.switches(), NETWORK.ports(), NETWORK.links(),
            IntStream.of(hosts).mapToObj(NETWORK.hosts()::get).toList());
    }

    private static Path path(final int cable) {
        return new Path(node(1), node(2), List.of(WIDE.links().stream()
            .filter(link -> link.source().switchId().equals(node(1))).toList().get(cable)));
    }
}

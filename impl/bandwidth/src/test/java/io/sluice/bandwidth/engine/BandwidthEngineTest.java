// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.INTERVAL_US;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.guaranteed;
import static io.sluice.bandwidth.engine.EngineBed.id;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static io.sluice.bandwidth.engine.EngineBed.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Entry;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.Path;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.FlowReport;
import io.sluice.testlib.Installed;
import io.sluice.testlib.Topologies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Two switches with two hosts each, and a cable of 10 Mbit/s between them: what flows get, and what switches hold. */
class BandwidthEngineTest {
    private static final FabricSnapshot NETWORK = Topologies.line(2, 1, 2, new Topologies.Rates(
        Bandwidth.ofMegabits(100), Bandwidth.ofMegabits(10), Bandwidth.ofMegabits(10)));
    private static final String CABLE = NETWORK.links().getFirst().toString();
    /** Of the loop, from the call for a round on. */
    private static final int STEPS_TO_DECISION = 4;
    private static final FlowReport NOTHING = new FlowReport(0, 0, 0, 0, 0);

    private final EngineBed bed = new EngineBed(NETWORK);

    @Test
    void flowsShareTheirBottleneckAndAreMeteredWhereTheyEnter() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));

        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 5000L,
            "openflow:1 " + bed.match(2, 4), 5000L), bed.meters());
        final var state = bed.state("a");
        assertEquals(Optional.of(CABLE), state.rate().orElseThrow().bindingLink());
        assertEquals(new FlowState.MeterState(OptionalInt.of(0), OptionalLong.empty(), OptionalLong.empty(), 5000),
            state.meter().orElseThrow());
        assertEquals(Optional.of(node(1)), state.switchId());
        assertEquals(Optional.empty(), state.pending());
        assertEquals(List.of("a 5000000 bit/s", "b 5000000 bit/s"), bed.events);

        bed.reallocate();
        assertEquals(OptionalLong.of(EngineBed.OWNER.meterNumber(1)),
            bed.state("b").meter().orElseThrow().switchMeter());
    }

    @Test
    void aConfigurationIsTakenByALaterRoundIfTheFirstOneFails() {
        bed.routes = match -> {
            throw new IllegalStateException("nobody knows the way");
        };
        bed.configure(limited(flow("a", 1, 3), 2));
        assertEquals(Map.of(), bed.meters());
        bed.routes = match -> List.of();

        bed.awaitConfiguration();

        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 2000L), bed.meters());
    }

    @Test
    void aLimitLeavesTheRestToOthersAndAChangedOneMovesBoth() {
        bed.configure(limited(flow("a", 1, 3), 2), flow("b", 2, 4));
        assertEquals(List.of(2L, 8L), List.of(bed.megabits("a"), bed.megabits("b")));

        bed.configure(limited(flow("a", 1, 3), 4), flow("b", 2, 4));

        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 4000L,
            "openflow:1 " + bed.match(2, 4), 6000L), bed.meters());
    }

    @Test
    void aFlowThatIsGoneLeavesNothingBehind() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        final long others = bed.network.at(node(1)).entries().size() - 4;
        bed.events.clear();

        bed.configure();

        assertEquals(Map.of(), bed.meters());
        assertEquals(others, bed.network.at(node(1)).entries().size());
        assertEquals(List.of("a gone", "b gone"), bed.events);
    }

    @Test
    void aFlowAloneOnItsLinksNeedsNoMeterAndIsCounted() {
        bed.configure(flow("a", 1, 3));
        bed.send(1, 3);
        bed.send(1, 3);

        assertEquals(Map.of(), bed.meters());
        assertEquals(10, bed.megabits("a"));
        assertEquals(Optional.empty(), bed.state("a").pending());
        assertEquals(List.of(2L), bed.network.at(node(1)).entries().stream().map(Installed::entry)
            .filter(entry -> entry instanceof Entry.Flow flow && flow.match().toString().contains(bed.match(1, 3)))
            .map(entry -> bed.network.at(node(1)).traffic(entry).packets()).toList());
    }

    /** Host 3's port is the narrowest link, and it is behind the cable that b passes too. */
    @Test
    void aFlowThatIsBoundBehindALinkThatItSharesIsMetered() {
        final var narrow = new EngineBed(withPort(NETWORK.hosts().get(2).attachment(), Bandwidth.ofMegabits(4)));
        final var needy = limited(guaranteed(flow("b", 2, 4), 5), 5);

        narrow.configure(flow("a", 1, 3), needy);
        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 4000L,
            "openflow:1 " + bed.match(2, 4), 5000L), narrow.meters());

        narrow.configure(flow("a", 1, 3));
        assertEquals(Map.of(), narrow.meters());
    }

    @Test
    void aFlowThatIsBoundByItsFirstLinkNeedsNoMeterThoughOthersJoinItLater() {
        final var slow = new EngineBed(withPort(NETWORK.hosts().get(0).attachment(), Bandwidth.ofMegabits(4)));

        slow.configure(flow("a", 1, 3), limited(flow("b", 2, 4), 5));

        assertEquals(Map.of("openflow:1 " + bed.match(2, 4), 5000L), slow.meters());
    }

    @Test
    void overAPortOfUnknownSpeedAFlowIsLeftAloneUntilSomebodySaysItsCapacity() {
        final var port = NETWORK.hosts().get(2).attachment();
        final var vague = new EngineBed(withPort(port, Bandwidth.ZERO));

        vague.configure(flow("a", 1, 3), guaranteed(flow("b", 2, 4), 5));

        assertEquals(Optional.of("the capacity of link " + port + "->host is not known, for its switch reports no speed"
            + " of the port; set the port's capacity"), vague.state("a").pending());
        assertEquals(Map.of(), vague.meters());
        assertEquals(10, vague.megabits("b"));
    }

    private static FabricSnapshot withPort(final PortId id, final Bandwidth capacity) {
        final var ports = new HashMap<>(NETWORK.ports());
        ports.computeIfPresent(id, (same, port) -> new Port(id, port.name(), port.up(), capacity,
            port.received(), port.sent()));
        return new FabricSnapshot(NETWORK.version(), NETWORK.switches(), ports, NETWORK.links(), NETWORK.hosts());
    }

    @Test
    void anIdleFlowNeedsNoMeterUntilItsReportIsOld() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        bed.engine.report(id("a"), NOTHING, INTERVAL_US);
        bed.reallocate();
        assertEquals(Map.of(), bed.meters());
        assertEquals(10, bed.megabits("b"));

        bed.clock.advance(Duration.ofSeconds(15));
        bed.reallocate();
        assertEquals(Map.of(), bed.meters());
        bed.clock.advance(Duration.ofNanos(1));
        bed.reallocate();
        assertEquals(2, bed.meters().size());
    }

    @Test
    void anIdleFlowKeepsItsLimitAndOthersLeaveItItsGuarantee() {
        bed.configure(flow("a", 1, 3), limited(guaranteed(flow("b", 2, 4), 2), 3));
        bed.engine.report(id("b"), NOTHING, INTERVAL_US);

        bed.reallocate();

        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 8000L,
            "openflow:1 " + bed.match(2, 4), 3000L), bed.meters());
    }

    @Test
    void aFlowThatIsIdleWhereNobodyElseSendsHoldsUpNoRound() {
        bed.configure(flow("a", 1, 3));
        bed.engine.report(id("a"), NOTHING, INTERVAL_US);

        assertEquals(Optional.empty(), bed.reallocate().refusal());
        assertEquals(Map.of(), bed.meters());
        assertEquals(10, bed.megabits("a"));
    }

    @Test
    void anEngineThatFallsSilentIsToldOfOnceAndItsFlowsGetFairShares() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        bed.engine.report(id("a"), NOTHING, INTERVAL_US);
        bed.reallocate();
        assertEquals(Reporting.CURRENT, bed.engine.reporting(id("a").application()));
        assertEquals(Reporting.NONE, bed.engine.reporting(id("b").application()));
        bed.events.clear();

        bed.clock.advance(Duration.ofSeconds(16));
        bed.reallocate();
        bed.reallocate();
        assertEquals(Reporting.SILENT, bed.engine.reporting(id("a").application()));
        assertEquals(List.of("a SILENT"), bed.events.stream().filter(event -> event.startsWith("a S")).toList());
        assertEquals(List.of(5L, 5L), List.of(bed.megabits("a"), bed.megabits("b")));

        bed.events.clear();
        bed.engine.report(id("a"), NOTHING, INTERVAL_US);
        bed.reallocate();
        assertEquals(10, bed.megabits("b"));
        assertEquals("a CURRENT", bed.events.getFirst());
    }

    @Test
    void explainsWhoSharesTheLinkThatStopsAFlow() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4), limited(flow("c", 2, 3), 1));

        final var explanation = bed.engine.explain(id("a")).orElseThrow();
        assertEquals(Optional.of(CABLE), explanation.link().map(AllocatableLink::name));
        assertEquals(List.of(id("a"), id("b"), id("c")), explanation.sharing().stream().map(FlowRate::flow).toList());
        assertEquals(Optional.of(id("a")), explanation.slowest().map(FlowRate::flow));
        assertEquals(4_500_000, explanation.flow().rate().orElseThrow().rate().bitsPerSecond());

        final var limited = bed.engine.explain(id("c")).orElseThrow();
        assertEquals(Optional.empty(), limited.link());
        assertEquals(List.of(), limited.sharing());
        assertEquals(Optional.empty(), bed.engine.explain(id("d")));
    }

    @Test
    void guaranteesThatOverfillALinkChangeNothing() {
        bed.configure(flow("a", 1, 3), guaranteed(flow("b", 2, 4), 7));
        final var before = bed.meters();
        assertEquals(7, bed.megabits("b"));
        bed.events.clear();

        bed.configure(guaranteed(flow("a", 1, 3), 4), guaranteed(flow("b", 2, 4), 7));

        assertEquals(before, bed.meters());
        final var reason = bed.reallocate().refusal().orElseThrow();
        assertTrue(reason.contains(CABLE) && reason.contains("; lower one of them, or set the capacity"), reason);
        assertEquals(Optional.of(reason), bed.state("a").pending());
        assertEquals(List.of(reason), bed.events);
        assertEquals(new Totals(3, 2, 2, 0, 0), bed.engine.totals());
    }

    @Test
    void aHostThatMovesWhileRoundsAreRefusedIsNotHeldWhereItIs() {
        bed.configure(limited(flow("a", 1, 3), 2), guaranteed(flow("b", 2, 4), 7));
        bed.configure(limited(flow("a", 1, 3), 2), guaranteed(flow("b", 2, 4), 11));
        assertEquals(Optional.empty(), bed.state("a").pending());
        final var hosts = new ArrayList<>(NETWORK.hosts());
        final var moved = hosts.getFirst();
        hosts.set(0, new Host(moved.mac(), moved.addresses(), hosts.get(1).attachment()));

        bed.show(new FabricSnapshot(2, NETWORK.switches(), NETWORK.ports(), NETWORK.links(), hosts));

        assertEquals(bed.engine.refusal(), bed.state("a").pending());
    }

    @Test
    void aHostOfAVlanIsNotTakenForAnUntaggedOne() {
        bed.configure(flow("a", 1, 3));
        assertEquals(Optional.empty(), bed.state("a").pending());
        final var hosts = new ArrayList<>(NETWORK.hosts());
        final var first = hosts.getFirst();
        hosts.set(0, new Host(10, first.mac(), first.addresses(), first.attachment()));

        bed.show(new FabricSnapshot(2, NETWORK.switches(), NETWORK.ports(), NETWORK.links(), hosts));
        bed.reallocate();

        assertTrue(bed.state("a").pending().isPresent());
    }

    @Test
    void aRoundIsTimedFromItsDecisionUntilTheSwitchesHaveAnswered() {
        bed.configure(flow("a", 1, 3));
        final var before = bed.engine.totals();

        bed.reallocateAnd(STEPS_TO_DECISION, () -> bed.clock.advance(Duration.ofMillis(7)));

        assertEquals(7_000_000, bed.engine.totals().enforcingNs() - before.enforcingNs());
        assertEquals(before.decidingNs(), bed.engine.totals().decidingNs());
    }

    @Test
    void whereGuaranteesFillALinkOthersPacketsAreDropped() {
        bed.configure(flow("a", 1, 3), guaranteed(flow("b", 2, 4), 10));
        bed.send(1, 3);
        bed.reallocate();

        assertEquals(Map.of("openflow:1 " + bed.match(2, 4), 10_000L), bed.meters());
        assertEquals(Optional.of(0L), bed.state("a").meter().map(FlowState.MeterState::kilobits));
        assertEquals(Optional.empty(), bed.state("a").pending());
        assertEquals(new Traffic(1, 100), bed.dropped("a"));

        bed.start();
        bed.configure(flow("a", 1, 3), guaranteed(flow("b", 2, 4), 10));
        assertEquals(0, bed.engine.totals().meterChanges());
        assertEquals(new Traffic(1, 100), bed.dropped("a"));

        bed.configure(flow("a", 1, 3), guaranteed(flow("b", 2, 4), 6));
        bed.send(1, 3);
        bed.reallocate();
        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 4000L,
            "openflow:1 " + bed.match(2, 4), 6000L), bed.meters());
        assertEquals(new Traffic(1, 100), bed.dropped("a"));
        assertTrue(bed.state("a").meter().orElseThrow().switchMeter().isPresent());

        bed.configure(flow("a", 1, 3), guaranteed(flow("b", 2, 4), 10));
        assertEquals(OptionalLong.empty(), bed.state("a").meter().orElseThrow().switchMeter());
    }

    @Test
    void whatIsTakenBackGoesThoughGuaranteesOfOthersOverfillALink() {
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        bed.configure(flow("a", 1, 3), guaranteed(flow("b", 2, 4), 11));
        bed.events.clear();

        bed.configure(guaranteed(flow("b", 2, 4), 11));

        assertEquals(Map.of("openflow:1 " + bed.match(2, 4), 5000L), bed.meters());
        assertEquals(List.of("a gone"), bed.events);
        assertEquals(1, bed.engine.totals().meterChanges() - 2);
    }

    @Test
    void aFlowWaitsForItsHostsAndStartsWhenTheyAreSeen() {
        bed.show(new FabricSnapshot(2, NETWORK.switches(), NETWORK.ports(), NETWORK.links(),
            NETWORK.hosts().subList(0, 3)));
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));
        assertTrue(bed.state("b").pending().orElseThrow().startsWith("no host with address 10.0.0.4 is seen; "));
        assertEquals(10, bed.megabits("a"));

        bed.show(new FabricSnapshot(3, NETWORK.switches(), NETWORK.ports(), NETWORK.links(), NETWORK.hosts()));

        assertEquals(2, bed.meters().size());
        assertEquals(Optional.empty(), bed.state("b").pending());
    }

    @Test
    void twoFlowsOfTheSamePacketsAreOneTooMany() {
        bed.configure(limited(flow("a", 1, 3), 2), limited(flow("b", 1, 3), 3));

        assertEquals(Map.of("openflow:1 " + bed.match(1, 3), 2000L), bed.meters());
        assertTrue(bed.state("b").pending().orElseThrow().startsWith("its packets are those of t/a/a; add ports"));
    }

    @Test
    void placedPathsAreTakenBeforeTheShortest() {
        final var parallel = Topologies.line(2, 2, 2, new Topologies.Rates(Bandwidth.ofMegabits(100),
            Bandwidth.ofMegabits(10), Bandwidth.ofMegabits(10)));
        final var other = parallel.links().stream().filter(link -> link.source().switchId().equals(node(1)))
            .toList().getLast();
        final var wide = new EngineBed(parallel);
        wide.routes = match -> List.of(new Path(node(1), node(2), List.of(other)));

        wide.configure(flow("a", 1, 3), flow("b", 2, 4));

        assertEquals(Optional.of(other.toString()), wide.state("a").rate().orElseThrow().bindingLink());
    }

    @Test
    void aConfigurationThatIsNoNewOneStartsNoRound() {
        bed.configure(flow("a", 1, 3));
        bed.configure(flow("a", 1, 3));

        assertEquals(1, bed.engine.totals().rounds());
        assertFalse(bed.engine.refusal().isPresent());
    }
}

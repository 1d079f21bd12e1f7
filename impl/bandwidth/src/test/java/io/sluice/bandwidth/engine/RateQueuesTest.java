// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.INTERVAL_US;
import static io.sluice.bandwidth.engine.EngineBed.PRIORITIES;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.guaranteed;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static io.sluice.bandwidth.engine.EngineBed.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Action;
import io.sluice.api.Bandwidth;
import io.sluice.api.Entry;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import io.sluice.api.PortQueues.Fault;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two switches with two hosts each; the first holds flows by queues. */
class RateQueuesTest {
    private static final Topologies.Rates RATES = Topologies.Rates.equal(Bandwidth.ofMegabits(10));
    private static final FabricSnapshot NETWORK = Topologies.line(2, 1, 2, RATES);

    private final EngineBed bed = new EngineBed(NETWORK);
    private final PortId between = wayOut(NETWORK, node(1));

    @Test
    void flowsAreHeldWhereTheyLeaveTheirFirstSwitch() {
        configure(flow("a", 1, 3), flow("b", 2, 4), limited(flow("c", 1, 2), 1));

        final var second = NETWORK.host(Addresses.ip("10.0.0.2")).orElseThrow().attachment();
        assertEquals(Map.of(between, Map.of(1L, megabits(5), 2L, megabits(5)), second, Map.of(3L, megabits(1))),
            bed.queues.rates);
        assertEquals(Map.of(), bed.meters());
        assertEquals(List.of(1L, 2L, 3L), picked());
        assertEquals(OptionalLong.of(1), bed.state("a").meter().orElseThrow().queue());
        assertEquals(OptionalInt.empty(), bed.state("a").meter().orElseThrow().meter());
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void rateForRateTheQueuesFollow() {
        configure(flow("a", 1, 3), flow("b", 2, 4));

        configure(limited(flow("a", 1, 3), 2), flow("b", 2, 4));
        assertEquals(Map.of(between, Map.of(1L, megabits(2), 2L, megabits(8))), bed.queues.rates);
        assertEquals(List.of(1L, 2L), picked());

        configure(flow("b", 2, 4));
        bed.reallocate();
        assertEquals(Map.of(), bed.queues.rates);
        assertEquals(List.of(), picked());
    }

    @Test
    void aFlowOfSeveralPathsHasItsPartAtEachPort() {
        final var wide = new EngineBed(Topologies.line(2, 2, 2, RATES));
        final var links = wide.network.snapshot().links().stream()
            .filter(link -> link.source().switchId().equals(node(1))).toList();
        wide.routes = match -> Stream.of(links.get(0), links.get(1), links.get(1))
            .map(link -> new Path(node(1), node(2), List.of(link))).toList();

        wide.configure(config(limited(flow("a", 1, 3), 3)));

        assertEquals(Map.of(links.get(0).source(), Map.of(1L, megabits(1)),
            links.get(1).source(), Map.of(1L, megabits(2))), wide.queues.rates);
    }

    @Test
    void asLongAsAPortHasNoQueueForItAMeterHoldsAFlow() {
        bed.queues.faults = Map.of(between, new Fault("it rains", true));
        configure(flow("a", 1, 3), flow("b", 2, 4));
        assertEquals(Optional.of("port " + between + " has no queue for it: it rains"), bed.state("a").pending());
        assertEquals(List.of(5000L, 5000L), List.copyOf(bed.meters().values()));

        bed.queues.faults = Map.of();
        bed.reallocate();
        assertEquals(Optional.empty(), bed.state("a").pending());
        assertEquals(Map.of(), bed.meters());
        assertEquals(List.of(1L, 2L), picked());
    }

    @Test
    void aQueueOfWhichNobodyTellsIsStillPicked() {
        configure(flow("a", 1, 3), flow("b", 2, 4));

        bed.queues.faults = Map.of(between, new Fault("it rains", true));
        bed.reallocate();

        assertTrue(bed.state("a").pending().isPresent());
        assertEquals(List.of(1L, 2L), picked());
        assertEquals(Map.of(), bed.meters());
    }

    @Test
    void aMeterTakesOverFromAQueueThatIsLost() {
        configure(flow("a", 1, 3), flow("b", 2, 4));

        bed.queues.faults = Map.of(between, new Fault("it is somebody else's", false));
        bed.reallocate();

        assertTrue(bed.state("a").pending().isPresent());
        assertEquals(List.of(), picked());
        assertEquals(List.of(5000L, 5000L), List.copyOf(bed.meters().values()));
    }

    @Test
    void aMeterTakesOverFromAQueueWhoseRateNoneCanHave() {
        configure(limited(flow("a", 1, 3), 5));

        configure(slow(11_000));

        assertEquals(List.of(11L), List.copyOf(bed.meters().values()));
        assertEquals(List.of(), picked());
        bed.reallocate();
        assertEquals(Map.of(), bed.queues.rates);
    }

    @Test
    void aQueueThatIsWantedAgainIsThereThoughTheMeterInItsPlaceIsConfirmedLate() {
        configure(limited(flow("a", 1, 3), 5));
        bed.programmer.silence(node(1));
        bed.engine.configure(config(slow(11_000)));
        bed.reallocateWithoutAnswer();
        bed.engine.configure(config(limited(flow("a", 1, 3), 5)));
        bed.reallocateWithoutAnswer();
        assertTrue(bed.state("a").pending().isPresent());

        bed.programmer.speak();
        bed.settle();

        assertEquals(Map.of(between, Map.of(1L, megabits(5))), bed.queues.rates);
        assertEquals(List.of(1L), picked());
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void queuesOfPriorityComeWhenNoEntryPicksTheOthersAnyMore() {
        configure(flow("a", 1, 3), flow("b", 2, 4));
        final var fair = new BandwidthConfig(PolicyName.APP_FAIR, INTERVAL_US, new Priorities(0, List.of(
            new Priorities.Queue(10, OptionalLong.of(1))), true), Set.of(node(1)),
            EngineBed.config(flow("a", 1, 3), flow("b", 2, 4)).tenants());

        bed.reallocateAnd(1, () -> {
            bed.engine.configure(fair);
            assertEquals(List.of(), bed.queues.priorities);
        });
        bed.reallocate();
        assertEquals(List.of(1L), bed.queues.priorities);

        configure(flow("a", 1, 3), flow("b", 2, 4));
        assertEquals(List.of(), bed.queues.priorities);
        assertEquals(Map.of(between, Map.of(1L, megabits(5), 2L, megabits(5))), bed.queues.rates);
    }

    @Test
    void aRateThatNoQueueCanHaveIsForAMeter() {
        configure(slow(11_000));

        assertTrue(bed.state("a").pending().orElseThrow().startsWith("no queue has less than"));
        assertEquals(List.of(11L), List.copyOf(bed.meters().values()));
        assertEquals(Map.of(), bed.queues.rates);
    }

    @Test
    void whatIsTooLittleForAMeterIsDropped() {
        configure(limited(flow("a", 1, 3), 0));
        assertEquals(Map.of(), bed.queues.rates);
        assertEquals(List.of(), picked());
        assertEquals(0, bed.state("a").meter().orElseThrow().kilobits());
    }

    @Test
    void queuesGoAfterTheEntriesThatPickThem() {
        configure(limited(flow("a", 1, 3), 2));
        bed.programmer.detach(node(1));

        bed.configure(limited(flow("a", 1, 3), 2));
        bed.reallocate();
        assertEquals(Map.of(between, Map.of(1L, megabits(2))), bed.queues.rates);

        bed.programmer.attach(node(1));
        bed.reallocate();
        bed.reallocate();
        assertEquals(Map.of(), bed.queues.rates);
        assertEquals(List.of(2000L), List.copyOf(bed.meters().values()));
    }

    @Test
    void theNextControllerChangesNothingThatIsAsItShouldBe() {
        configure(flow("a", 1, 3), flow("b", 2, 4));
        final var rates = Map.copyOf(bed.queues.rates);

        bed.start();
        bed.events.clear();
        configure(flow("a", 1, 3), flow("b", 2, 4));

        assertEquals(rates, bed.queues.rates);
        assertEquals(List.of(1L, 2L), picked());
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void queuesStayWhileTheHostsAreNotSeen() {
        configure(flow("a", 1, 3), flow("b", 2, 4));
        final var rates = Map.copyOf(bed.queues.rates);
        bed.start();
        bed.show(new FabricSnapshot(2, NETWORK.switches(), NETWORK.ports(), NETWORK.links(), List.of()));

        configure(flow("a", 1, 3), flow("b", 2, 4));
        bed.clock.advance(Duration.ofSeconds(61));
        bed.reallocate();
        bed.reallocate();

        assertEquals(rates, bed.queues.rates);
        assertEquals(List.of(1L, 2L), picked());
        assertEquals(Optional.empty(), bed.state("a").meter());

        bed.show(new FabricSnapshot(3, NETWORK.switches(), NETWORK.ports(), NETWORK.links(), NETWORK.hosts()));
        assertEquals(rates, bed.queues.rates);
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void nothingRisesBesideAQueueOfAnEarlierControllerThatHasNotFallen() {
        final var line = new EngineBed(Topologies.line(3, 1, 1, RATES));
        line.configure(config(flow("a", 1, 3), limited(flow("b", 2, 3), 2)));
        assertEquals(List.of(2000L), List.copyOf(line.meters().values()));
        line.start();
        line.queues.faults = Map.of(wayOut(line.network.snapshot(), node(1)), new Fault("it rains", true));

        line.configure(config(limited(flow("a", 1, 3), 5), flow("b", 2, 3)));

        assertEquals(List.of(2000L), List.copyOf(line.meters().values()));
        line.queues.faults = Map.of();
        line.reallocate();
        assertEquals(List.of(5000L), List.copyOf(line.meters().values()));
    }

    @Test
    void aRoundThatIsRefusedTakesBackWhatNobodyAsksFor() {
        configure(flow("a", 1, 3), flow("b", 2, 4));

        configure(flow("a", 1, 3), guaranteed(flow("g", 2, 3), 11));

        assertEquals(Map.of(between, Map.of(1L, megabits(5))), bed.queues.rates);
    }

    @Test
    void whoHasLeftAsksForNothing() {
        configure(flow("a", 1, 3), flow("b", 2, 4));
        final int asked = bed.queues.asked;
        bed.engine.close();
        bed.reallocate();
        assertTrue(bed.queues.isLeft);
        assertEquals(asked, bed.queues.asked);
    }

    /** A flow limited to so many bit/s. */
    private static FlowConfig slow(final long limit) {
        return new FlowConfig("a", flow("a", 1, 3).packets(), 0, 1, Bandwidth.ZERO,
            Optional.of(new Bandwidth(limit)));
    }

    private void configure(final FlowConfig... flows) {
        bed.configure(config(flows));
    }

    private static BandwidthConfig config(final FlowConfig... flows) {
        return new BandwidthConfig(PolicyName.APP_MAX_MIN, INTERVAL_US, PRIORITIES, Set.of(node(1)),
            EngineBed.config(flows).tenants());
    }

    /** The port by which a switch's first link leaves. */
    private static PortId wayOut(final FabricSnapshot network, final SwitchId switchId) {
        return network.links().stream().filter(link -> link.source().switchId().equals(switchId)).findFirst()
            .orElseThrow().source();
    }

    /** The queues that entries of the first switch pick. */
    private List<Long> picked() {
        return bed.network.switches().stream().filter(node -> node.id().equals(node(1)))
            .flatMap(node -> node.entries().stream()).flatMap(installed -> installed.entry() instanceof Entry.Flow flow
                ? flow.actions().stream() : Stream.empty())
            .flatMap(action -> action instanceof Action.SetQueue(var number) ? Stream.of(number) : Stream.empty())
            .sorted().toList();
    }

    private static Bandwidth megabits(final long number) {
        return Bandwidth.ofMegabits(number);
    }
}

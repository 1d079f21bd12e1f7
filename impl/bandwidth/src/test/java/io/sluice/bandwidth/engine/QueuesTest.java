// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.INTERVAL_US;
import static io.sluice.bandwidth.engine.EngineBed.PRIORITIES;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.guaranteed;
import static io.sluice.bandwidth.engine.EngineBed.id;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Action;
import io.sluice.api.Bandwidth;
import io.sluice.api.Entry;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.PortQueues.Fault;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.Priorities.Queue;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two switches with two hosts each, whose ports have queues for code points 10, which goes first, and 20. */
class QueuesTest {
    private static final int FIRST = PRIORITIES.queues().getFirst().codePoint();
    private static final int LAST = PRIORITIES.queues().getLast().codePoint();

    private final EngineBed bed = new EngineBed(Topologies.line(2, 1, 2, Topologies.Rates.equal(
        Bandwidth.ofMegabits(10))));

    @Test
    void whoGotMoreIsMarkedForALaterQueue() {
        fair(flow("a", 1, 3), flow("b", 2, 4));
        assertEquals(List.of(FIRST, FIRST), marks());
        assertEquals(Map.of(), bed.meters());

        interval(100, 1);

        assertEquals(List.of(LAST, FIRST), marks());
        assertEquals(OptionalInt.of(1), bed.state("a").level());
        assertEquals(OptionalInt.of(0), bed.state("b").level());
        assertEquals(Optional.empty(), bed.state("a").pending());
        assertEquals(List.of(0L, 10L), List.of(bed.megabits("a"), bed.megabits("b")));

        interval(1, 100);

        assertEquals(List.of(FIRST, LAST), marks());
    }

    @Test
    void aRoundAmidAnIntervalTellsNothingOfIt() {
        fair(flow("a", 1, 3), flow("b", 2, 4));
        interval(100, 1);

        bed.clock.advance(Duration.ofNanos(INTERVAL_US * 1000 - 1));
        send(1, 100);
        bed.reallocate();
        assertEquals(List.of(LAST, FIRST), marks());

        bed.clock.advance(Duration.ofNanos(1));
        bed.reallocate();
        assertEquals(List.of(FIRST, LAST), marks());
    }

    @Test
    void aSwitchThatIsAwayTellsNothingAndHoldsUpNoRound() {
        fair(flow("a", 1, 3), flow("b", 2, 4));
        bed.programmer.detach(EngineBed.node(1));

        interval(100, 1);

        assertEquals(List.of(FIRST, FIRST), marks());
    }

    @Test
    void anApplicationThatWasGoneBeginsAnew() {
        fair(flow("a", 1, 3), flow("b", 2, 4));
        interval(100, 1);

        fair(flow("b", 2, 4));
        fair(flow("a", 1, 3), flow("b", 2, 4));

        assertEquals(List.of(FIRST, LAST), marks());
    }

    @Test
    void anApplicationWithNothingToSendIsMarkedForTheFirst() {
        fair(flow("a", 1, 3), flow("b", 2, 4));
        interval(100, 1);

        bed.engine.report(id("a"), new FlowReport(0, 0, 0, 0, 0), INTERVAL_US);
        bed.reallocate();

        assertEquals(List.of(FIRST, FIRST), marks());
    }

    @Test
    void aLimitIsMeteredBesideTheMark() {
        fair(limited(flow("a", 1, 3), 2), flow("b", 2, 4));

        assertEquals(List.of(2000L), List.copyOf(bed.meters().values()));
        assertEquals(List.of(FIRST, FIRST), marks());
    }

    @Test
    void anotherPolicyTakesTheMarksAway() {
        fair(flow("a", 1, 3), flow("b", 2, 4));
        bed.configure(flow("a", 1, 3), flow("b", 2, 4));

        assertEquals(List.of(0, 0), marks());
        assertEquals(2, bed.meters().size());
        assertEquals(OptionalInt.empty(), bed.state("a").level());
    }

    @Test
    void whatIsMarkedAsItShouldBeIsNotSentAgainByTheNextController() {
        fair(flow("a", 1, 3), flow("b", 2, 4));
        final long changes = bed.network.switches().stream().mapToLong(node -> node.changes()).sum();
        bed.start();
        bed.events.clear();
        fair(flow("a", 1, 3), flow("b", 2, 4));

        assertEquals(changes, bed.network.switches().stream().mapToLong(node -> node.changes()).sum());
        assertEquals(List.of(), bed.events);
    }

    @Test
    void aGuaranteeIsRefusedAndSoIsAllWithoutQueues() {
        fair(guaranteed(flow("a", 1, 3), 1), flow("b", 2, 4));
        assertEquals(Optional.of("app-fair keeps no guarantee; choose another policy"), bed.state("a").pending());
        assertEquals(List.of(0, FIRST), marks());

        configure(List.of(), flow("b", 2, 4));
        assertTrue(bed.state("b").pending().orElseThrow().startsWith("app-fair needs queues"));
        assertTrue(bed.engine.admit("t", new ApplicationConfig("c", 1, List.of(flow("c", 1, 4))))
            instanceof Admission.NotEnforceable);
    }

    @Test
    void aQueueWithANumberIsPickedOnEverySwitch() {
        configure(List.of(new Queue(10, OptionalLong.of(7)), new Queue(20, OptionalLong.empty())), flow("a", 1, 3));
        assertEquals(List.of("openflow:1 eth_type=0x0800,ip_dscp=10 7", "openflow:1 eth_type=0x86dd,ip_dscp=10 7",
            "openflow:1 in_port=1,eth_type=0x0800,ip_proto=6,ip_src=10.0.0.1/32,ip_dst=10.0.0.3/32 7",
            "openflow:2 eth_type=0x0800,ip_dscp=10 7", "openflow:2 eth_type=0x86dd,ip_dscp=10 7"), picked());

        fair(flow("a", 1, 3));
        assertEquals(List.of(), picked());
    }

    @Test
    void aSwitchWithoutTheQueuesIsNamedToTheFlowsThatPassIt() {
        final var three = new EngineBed(Topologies.line(3, 1, 1,
            Topologies.Rates.equal(Bandwidth.ofMegabits(10))));
        final var queues = List.of(new Queue(10, OptionalLong.of(7)));
        three.configure(fairly(queues, flow("a", 1, 2)));
        three.programmer.silence(EngineBed.node(2));
        three.programmer.silence(EngineBed.node(3));
        three.engine.configure(fairly(List.of(new Queue(10, OptionalLong.of(8))), flow("a", 1, 2)));

        three.reallocateWithoutAnswer();

        assertEquals(Optional.of("queues: openflow:2: it has not confirmed this yet"), three.state("a").pending());
        three.engine.configure(fairly(List.of(new Queue(10, OptionalLong.of(9))), flow("a", 1, 2)));
        three.reallocateWithoutAnswer();
        three.programmer.speak();
        three.settle();
        assertEquals(Optional.empty(), three.state("a").pending());
        assertEquals(Set.of("9"), picked(three).stream().map(entry -> entry.substring(entry.lastIndexOf(' ') + 1))
            .collect(Collectors.toSet()));

        final var whole = three.network.snapshot();
        three.programmer.detach(EngineBed.node(3));
        three.show(new FabricSnapshot(9, Set.of(EngineBed.node(1), EngineBed.node(2)), whole.ports(), whole.links(),
            whole.hosts()));
        assertEquals(Optional.empty(), three.state("a").pending());
    }

    @Test
    void aRefusedRoundLeavesQueuesAndLevelsAsTheyAre() {
        final var queues = List.of(new Queue(10, OptionalLong.of(7)), new Queue(20, OptionalLong.of(8)));
        bed.configure(new BandwidthConfig(PolicyName.APP_FAIR, INTERVAL_US, new Priorities(0, queues, true),
            Set.of(), EngineBed.config(flow("a", 1, 3)).tenants()));

        bed.configure(guaranteed(flow("a", 1, 3), 11));

        assertTrue(bed.engine.refusal().isPresent());
        assertEquals(List.of(7L, 8L), bed.queues.priorities);
        assertEquals(OptionalInt.of(0), bed.state("a").level());
    }

    @Test
    void aPortOnTheWayWithoutTheQueuesIsNamed() {
        final var last = bed.network.snapshot().host(Addresses.ip("10.0.0.3")).orElseThrow().attachment();
        bed.queues.faults = Map.of(last, new Fault("it rains", true));
        final var queues = List.of(new Queue(10, OptionalLong.of(7)), new Queue(20, OptionalLong.of(8)));
        final var config = fairly(queues, flow("a", 1, 3), flow("b", 2, 4));
        final var made = new BandwidthConfig(PolicyName.APP_FAIR, INTERVAL_US, new Priorities(0, queues, true),
            Set.of(), config.tenants());

        bed.configure(made);
        assertEquals(List.of(7L, 8L), bed.queues.priorities);
        assertEquals(Optional.of("port " + last + " has no queue for it: it rains"), bed.state("a").pending());
        assertEquals(Optional.empty(), bed.state("b").pending());

        bed.queues.faults = Map.of();
        bed.reallocate();
        assertEquals(Optional.empty(), bed.state("a").pending());

        bed.queues.faults = Map.of(last, new Fault("it rains", true));
        bed.configure(config);
        assertEquals(List.of(), bed.queues.priorities);
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void queuesThatCanNotBeToldApartOrMadeAreRefused() {
        final var twice = List.of(new Queue(10, OptionalLong.of(7)), new Queue(20, OptionalLong.of(7)));
        configure(twice, flow("a", 1, 3));
        assertEquals(Optional.of("two queues have number 7; give each its own"), bed.state("a").pending());

        final var large = List.of(new Queue(10, OptionalLong.of(70_000)));
        configure(large, flow("a", 1, 3));
        assertEquals(Optional.empty(), bed.state("a").pending());

        bed.configure(new BandwidthConfig(PolicyName.APP_FAIR, INTERVAL_US, new Priorities(0, large, true), Set.of(),
            EngineBed.config(flow("a", 1, 3)).tenants()));
        assertEquals(Optional.of("no queue with number 70000 can be made; give it one up to 61439"),
            bed.state("a").pending());
    }

    @Test
    void whatIsConfiguredAmidARoundCountsForTheNext() {
        final var queues = List.of(new Queue(10, OptionalLong.of(7)), new Queue(20, OptionalLong.of(8)));
        for (int steps = 0; steps < 6; steps++) {
            configure(queues, flow("a", 1, 3), flow("b", 2, 4));

            final var rates = bed.reallocateAnd(steps, () -> bed.engine.configure(fairly(queues, flow("a", 1, 3))))
                .rates();

            assertEquals(steps < 4 ? 1 : 2, rates.size(), steps + " steps");
            assertEquals(List.of(FIRST, 0), marks());
        }
    }

    /** Entries that pick a queue, with its number. */
    private List<String> picked() {
        return picked(bed);
    }

    private static List<String> picked(final EngineBed of) {
        return of.network.switches().stream().flatMap(node -> node.entries().stream().flatMap(installed ->
            installed.entry() instanceof Entry.Flow flow ? flow.actions().stream().flatMap(action ->
                action instanceof Action.SetQueue(var number)
                    ? Stream.of(node.id() + " " + flow.match() + " " + number) : Stream.empty())
                : Stream.empty())).sorted().toList();
    }

    /** An interval in which both flows send so many packets, and the round after it. */
    private void interval(final int first, final int second) {
        send(first, second);
        bed.clock.advance(Duration.ofNanos(INTERVAL_US * 1000));
        bed.reallocate();
    }

    private void send(final int first, final int second) {
        bed.flood(1, 3, first);
        bed.flood(2, 4, second);
    }

    @Test
    void aFlowIsToldOfWhileItsMarkGoesAndIsWantedAgain() {
        for (int steps = 0; steps < 20; steps++) {
            fair(flow("a", 1, 3), flow("b", 2, 4));
            bed.engine.configure(fairly(PRIORITIES.queues(), guaranteed(flow("a", 1, 3), 1), flow("b", 2, 4)));
            bed.reallocateAnd(steps, () -> {
                bed.engine.configure(fairly(PRIORITIES.queues(), flow("a", 1, 3), flow("b", 2, 4)));
                assertEquals(2, bed.engine.flows().size());
            });
        }
    }

    /** Has the flows marked; it is known what their switches had counted of them. */
    private void fair(final FlowConfig... flows) {
        configure(PRIORITIES.queues(), flows);
        bed.reallocate();
        bed.reallocate();
    }

    private void configure(final List<Queue> queues, final FlowConfig... flows) {
        bed.configure(fairly(queues, flows));
    }

    private static BandwidthConfig fairly(final List<Queue> queues, final FlowConfig... flows) {
        return new BandwidthConfig(PolicyName.APP_FAIR, INTERVAL_US, new Priorities(0, queues, false),
            Set.of(), EngineBed.config(flows).tenants());
    }

    /** What packets of the two flows are marked with. */
    private List<Integer> marks() {
        return List.of(bed.mark(1, 3), bed.mark(2, 4));
    }
}

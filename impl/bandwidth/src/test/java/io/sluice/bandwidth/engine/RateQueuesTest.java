// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.INTERVAL_US;
import static io.sluice.bandwidth.engine.EngineBed.PRIORITIES;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static io.sluice.bandwidth.engine.EngineBed.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Action;
import io.sluice.api.Bandwidth;
import io.sluice.api.Entry;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two switches with two hosts each; the first holds flows by queues. */
class RateQueuesTest {
    private final EngineBed bed = new EngineBed(Topologies.line(2, 1, 2, Topologies.Rates.equal(
        Bandwidth.ofMegabits(10))));
    private final PortId between = bed.network.snapshot().links().stream()
        .filter(link -> link.source().switchId().equals(node(1))).findFirst().orElseThrow().source();

    @Test
    void flowsAreHeldWhereTheyLeaveTheirFirstSwitch() {
        configure(flow("a", 1, 3), flow("b", 2, 4), limited(flow("c", 1, 2), 1));

        assertEquals(Map.of(between, Map.of(1L, megabits(5), 2L, megabits(5)),
            bed.network.snapshot().host(Addresses.ip("10.0.0.2")).orElseThrow().attachment(),
            Map.of(3L, megabits(1))), bed.queues.rates);
        assertEquals(Map.of(), bed.meters());
        assertEquals(List.of(1L, 2L, 3L), picked());
        assertEquals(List.of(Optional.of(1L), Optional.empty()), List.of(
            bed.state("a").meter().orElseThrow().queue(), bed.state("a").meter().orElseThrow().meter()));
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void rateForRateTheQueuesFollow() {
        configure(flow("a", 1, 3), flow("b", 2, 4));
        final int asked = bed.queues.asked;
        bed.reallocate();
        assertEquals(asked, bed.queues.asked);

        configure(limited(flow("a", 1, 3), 2), flow("b", 2, 4));
        assertEquals(Map.of(between, Map.of(1L, megabits(2), 2L, megabits(8))), bed.queues.rates);
        assertEquals(List.of(1L, 2L), picked());

        configure(flow("b", 2, 4));
        assertEquals(Map.of(), bed.queues.rates);
        assertEquals(List.of(), picked());
    }

    @Test
    void aFlowOfSeveralPathsHasItsPartAtEachPort() {
        final var wide = new EngineBed(Topologies.line(2, 2, 2, Topologies.Rates.equal(Bandwidth.ofMegabits(10))));
        final var links = wide.network.snapshot().links().stream()
            .filter(link -> link.source().switchId().equals(node(1))).toList();
        wide.placed = Stream.of(links.get(0), links.get(1), links.get(1))
            .map(link -> new Path(node(1), node(2), List.of(link))).toList();

        wide.configure(config(limited(flow("a", 1, 3), 3)));
        wide.reallocate();

        assertEquals(Map.of(links.get(0).source(), Map.of(1L, megabits(1)),
            links.get(1).source(), Map.of(1L, megabits(2))), wide.queues.rates);
    }

    @Test
    void aPortWithoutItsQueuesKeepsItsFlowsPending() {
        bed.queues.faults = Map.of(between, "it rains");
        configure(flow("a", 1, 3), flow("b", 2, 4));
        assertEquals(Optional.of("port " + between + " has no queue for it: it rains"), bed.state("a").pending());

        bed.queues.faults = Map.of();
        bed.reallocate();
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void queuesOfAnEarlierControllerStayUntilAllIsKnown() {
        configure(flow("a", 1, 3), flow("b", 2, 4));
        final var rates = bed.queues.rates;
        final int asked = bed.queues.asked;

        bed.start();
        configure(flow("a", 1, 3), flow("b", 2, 4));
        bed.reallocate();

        assertEquals(rates, bed.queues.rates);
        assertEquals(asked + 1, bed.queues.asked);
        assertEquals(List.of(1L, 2L), picked());
    }

    @Test
    void whatIsTooLittleForAQueueIsDropped() {
        configure(limited(flow("a", 1, 3), 0));
        assertEquals(Map.of(), bed.queues.rates);
        assertEquals(List.of(), picked());
        assertEquals(0, bed.state("a").meter().orElseThrow().kilobits());
    }

    /** Two rounds, since queues are made when the first has shown that nothing is left to be known. */
    private void configure(final FlowConfig... flows) {
        bed.configure(config(flows));
        bed.reallocate();
    }

    private static BandwidthConfig config(final FlowConfig... flows) {
        return new BandwidthConfig(PolicyName.APP_MAX_MIN, INTERVAL_US, PRIORITIES, Set.of(node(1)),
            EngineBed.config(flows).tenants());
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

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.AllocatableLink.Role;
import io.sluice.bandwidth.Allocation.Allocated;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AppAwareTest {
    private static final int SECOND_US = 1_000_000;
    private static final AllocatableLink UP = new AllocatableLink("up", Role.UPLINK, Bandwidth.ofMegabits(12));
    private static final AllocatableLink DOWN = new AllocatableLink("down", Role.DOWNLINK, Bandwidth.ofMegabits(12));

    @Test
    void ratesBeforeBackfillingAreThoseOfThePaperLineByLine() {
        for (long seed = 0; seed < 5_000; seed++) {
            final var random = new Random(seed);
            final var round = RandomRounds.withFlows(RandomRounds.plain(seed), flow -> Flow.of(flow.name(),
                flow.paths().getFirst().links(), Optional.of(noisy(random))));
            final var instance = new Instance(round, 0);

            assertArrayEquals(new AlgorithmOne(instance).rates(), AppAware.beforeBackfilling(instance), 1e-3,
                "seed " + seed);
        }
    }

    @Test
    void forkedFlowsShareAnUplinkByWhatWaitsAndComes() {
        final var backlog = new FlowReport(1_000_000, 500_000, 750_000, 0, 0);
        assertEquals(List.of(8_000_000L, 4_000_000L), rates(new AppAware(), UP, backlog,
            new FlowReport(1_000_000, 0, 0, 0, 0)).stream().map(rate -> rate / 1_000_000 * 1_000_000).toList());
    }

    @Test
    void joinedFlowsAreHeldBackByTheirQueueAtTheReceiver() {
        final var queued = new FlowReport(1_000_000, 0, 0, 500_000, 500_000);
        final var drained = new FlowReport(1_000_000, 0, 0, 0, 0);

        assertEquals(List.of(4_000_000L, 8_000_000L), rates(new AppAware(), DOWN, queued, drained));
    }

    @Test
    void aFlowThatConsumesNothingOrContradictsItselfKeepsItsFloor() {
        final var stuck = new FlowReport(0, 0, 1_000_000, 1_000_000, 9_000_000);
        final var odd = new FlowReport(0, 9_000_000, 0, 0, 0);
        final var busy = new FlowReport(2_000_000, 0, 2_000_000, 0, 0);
        for (final var link : List.of(UP, DOWN)) {
            final var rates = rates(new AppAware(), link, stuck, odd, busy);
            rates.forEach(rate -> assertTrue(rate >= 200_000, () -> link + " " + rates));
            assertEquals(12_000_000, rates.stream().mapToLong(Long::longValue).sum(), 3);
        }
    }

    @Test
    void withoutAFloorThePaperStarvesAFlowWhoseReceiverIsFull() {
        final var full = new FlowReport(1_000_000, 0, 1_000_000, 9_000_000, 9_000_000);
        final var busy = new FlowReport(2_000_000, 0, 1_000_000, 0, 0);

        final var shares = AppAware.beforeBackfilling(new Instance(round(DOWN, full, busy), 0));
        assertArrayEquals(new double[] {0, 12e6}, shares, 1e-3);
    }

    @Test
    void linksThatNobodyFillsAreNotSolved() {
        final var small = new FlowReport(100_000, 0, 0, 0, 0);
        final var larger = new FlowReport(300_000, 0, 0, 0, 0);

        final var shares = AppAware.beforeBackfilling(new Instance(round(UP, small, larger), 0));
        assertArrayEquals(new double[] {0.8e6, 2.4e6}, shares, 1e-3);
        assertEquals(List.of(3_000_000L, 9_000_000L), rates(new AppAware(), UP, small, larger));
    }

    @Test
    void aFullInternalLinkScalesDemandsThatExceedItAsTheyAre() {
        final var core = new AllocatableLink("core", Role.INTERNAL, Bandwidth.ofMegabits(12));
        final var small = new FlowReport(3_000_000, 0, 0, 0, 0);
        final var larger = new FlowReport(15_000_000, 0, 0, 0, 0);

        assertEquals(List.of(2_000_000L, 10_000_000L), rates(new AppAware(), core, small, larger));
    }

    private static FlowReport noisy(final Random random) {
        final long before = random.nextLong(1_000_000);
        final long transferred = random.nextLong(4_000_000, 20_000_000);
        return new FlowReport(transferred, before, random.nextLong(500_000, 2_000_000), random.nextLong(1_000_000),
            random.nextLong(3_000_000));
    }

    private static List<Long> rates(final Policy policy, final AllocatableLink link, final FlowReport... reports) {
        return ((Allocated) policy.allocate(round(link, reports))).flows().stream()
            .map(rate -> rate.rate().bitsPerSecond()).toList();
    }

    private static Round round(final AllocatableLink link, final FlowReport... reports) {
        final var flows = Stream.iterate(0, i -> i + 1).limit(reports.length)
            .map(i -> Flow.of("f" + i, List.of(link.name()), Optional.of(reports[i]))).toList();
        return new Round(List.of(link), List.of(new Tenant("t", 1, List.of(new Application("a", 1, flows)))),
            SECOND_US);
    }
}

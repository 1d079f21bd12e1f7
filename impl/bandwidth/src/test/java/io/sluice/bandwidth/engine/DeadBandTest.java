// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.INTERVAL_US;
import static io.sluice.bandwidth.engine.EngineBed.PRIORITIES;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.TenantConfig;
import io.sluice.testlib.Topologies;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two switches with three hosts each, and a cable of 10 Mbit/s between them: which meters stay as they are. */
class DeadBandTest {
    private static final Bandwidth CABLE = Bandwidth.ofMegabits(10);
    private static final List<FlowConfig> FLOWS = List.of(flow("a", 1, 4), flow("b", 2, 5), flow("c", 3, 6));

    private final EngineBed bed = new EngineBed(Topologies.line(2, 1, 3,
        new Topologies.Rates(Bandwidth.ofMegabits(100), CABLE, CABLE)));

    @Test
    void metersThatWouldHardlyChangeAreNotWritten() {
        configure(weighted(FLOWS.get(0), 1000), weighted(FLOWS.get(1), 1000));
        assertEquals(List.of(5000L, 5000L), List.copyOf(bed.meters().values()));
        final var before = bed.engine.totals();

        configure(weighted(FLOWS.get(0), 991), weighted(FLOWS.get(1), 1009));

        assertEquals(List.of(5000L, 5000L), List.copyOf(bed.meters().values()));
        assertEquals(before.meterChanges(), bed.engine.totals().meterChanges());
        assertEquals(4_955_000, bed.state("a").rate().orElseThrow().rate().bitsPerSecond());
        configure(weighted(FLOWS.get(0), 985), weighted(FLOWS.get(1), 1015));
        assertEquals(List.of(4925L, 5075L), List.copyOf(bed.meters().values()));
    }

    @Test
    void whatLeavesALinkOverfullFallsAndWhatMayRiseALittleStays() {
        configure(FLOWS.get(0), limited(FLOWS.get(1), 4000));

        configure(FLOWS.get(0), limited(FLOWS.get(1), 4030));
        assertEquals(List.of(5970L, 4030L), List.copyOf(bed.meters().values()));

        configure(FLOWS.get(0), limited(FLOWS.get(1), 4000));
        assertEquals(List.of(5970L, 4000L), List.copyOf(bed.meters().values()));
    }

    @Test
    void aGuaranteeAndALimitAreKeptToTheKilobit() {
        configure(FLOWS.get(0), FLOWS.get(1));

        configure(guaranteed(FLOWS.get(0), 5010), FLOWS.get(1));
        assertEquals(List.of(5010L, 4990L), List.copyOf(bed.meters().values()));

        configure(FLOWS.get(0), limited(FLOWS.get(1), 4980));
        assertEquals(List.of(5010L, 4980L), List.copyOf(bed.meters().values()));
    }

    @Test
    void noLinkIsOverfullAndNoGuaranteeBrokenWhateverChangesALittle() {
        final long seed = System.nanoTime();
        final var random = new Random(seed);
        for (int step = 0; step < 500; step++) {
            final var flows = FLOWS.stream().map(flow -> random(random, flow)).toList();
            configure(flows.stream().map(flow -> weighted(flow, 1000 + random.nextInt(20)))
                .toArray(ApplicationConfig[]::new));
            assertEquals(Optional.empty(), bed.engine.refusal());
            final var states = bed.engine.flows();
            assertTrue(sum(states) <= CABLE.bitsPerSecond(), () -> "seed " + seed + ": " + states);
            states.forEach(state -> {
                final long held = state.meter().orElseThrow().kilobits();
                final long given = state.rate().orElseThrow().rate().bitsPerSecond() / 1000;
                assertTrue(held >= state.config().guarantee().bitsPerSecond() / 1000
                    && state.config().limit().stream().allMatch(limit -> held * 1000 <= limit.bitsPerSecond())
                    && Math.abs(held - given) <= held / 100, () -> "seed " + seed + ": " + state);
            });
        }
        assertTrue(bed.engine.totals().meterChanges() < 3 * 500, () -> "seed " + seed);
    }

    private static FlowConfig random(final Random random, final FlowConfig flow) {
        return switch (random.nextInt(4)) {
            case 0 -> guaranteed(flow, 3300 + random.nextInt(33));
            case 1 -> limited(flow, 3300 + random.nextInt(66));
            default -> flow;
        };
    }

    private static long sum(final Collection<FlowState> states) {
        return states.stream().mapToLong(state -> state.meter().orElseThrow().kilobits() * 1000).sum();
    }

    private void configure(final FlowConfig... flows) {
        configure(IntStream.range(0, flows.length).mapToObj(i -> weighted(flows[i], 1))
            .toArray(ApplicationConfig[]::new));
    }

    private void configure(final ApplicationConfig... applications) {
        bed.configure(new BandwidthConfig(PolicyName.APP_MAX_MIN, INTERVAL_US, PRIORITIES, Set.of(),
            List.of(new TenantConfig("t", 1, List.of(applications)))));
    }

    private static ApplicationConfig weighted(final FlowConfig flow, final long weight) {
        return new ApplicationConfig(flow.name(), weight, List.of(flow));
    }

    private static FlowConfig limited(final FlowConfig flow, final long kilobits) {
        return new FlowConfig(flow.name(), flow.packets(), 0, 1, flow.guarantee(),
            Optional.of(new Bandwidth(kilobits * 1000)));
    }

    private static FlowConfig guaranteed(final FlowConfig flow, final long kilobits) {
        return new FlowConfig(flow.name(), flow.packets(), 0, 1, new Bandwidth(kilobits * 1000), flow.limit());
    }
}

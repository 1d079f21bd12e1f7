// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.config;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.guaranteed;
import static io.sluice.bandwidth.engine.EngineBed.id;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static io.sluice.bandwidth.engine.EngineBed.node;
import static io.sluice.bandwidth.engine.EnforcerBed.moved;
import static io.sluice.bandwidth.engine.EnforcerBed.target;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.testlib.Topologies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** In which order meters change, and what is left of them. */
class EnforcerTest {
    private static final Topologies.Rates RATES = Topologies.Rates.equal(Bandwidth.ofMegabits(10));

    private final EnforcerBed hand = new EnforcerBed();
    private final ClaimByHand switches = hand.switches;
    private final Enforcer enforcer = hand.enforcer;

    @Test
    void whatFallsIsConfirmedBeforeAnythingGoesOrRises() {
        enforcer.enforce(Map.of(id("a"), target(1, 2000), id("b"), target(2, 6000), id("c"), target(3, 2000)));
        switches.confirmAll();

        enforcer.enforce(Map.of(id("a"), target(1, 5000), id("b"), target(2, 5000)));

        assertEquals(List.of("10.0.0.2 5000"), switches.asked());
        switches.confirmAll();
        assertEquals(List.of("withdraw"), switches.asked());
        switches.confirmAll();
        assertEquals(List.of("10.0.0.1 5000"), switches.asked());
    }

    @Test
    void whoNeedsNoMeterAnyMoreHasNoneBeforeOthersRise() {
        enforcer.enforce(Map.of(id("a"), target(1, 2000), id("b"), target(2, 6000)));
        switches.confirmAll();

        enforcer.enforce(Map.of(id("a"), target(1, 8000), id("b"), target(2, Metering.UNMETERED)));

        assertEquals(List.of("10.0.0.2 unmetered"), switches.asked());
        switches.confirmAll();
        assertEquals(List.of("10.0.0.1 8000"), switches.asked());
    }

    @Test
    void whatIsTakenOverFallsBeforeAnythingRises() {
        enforcer.adopt(id("a"), 3, OptionalInt.of(3), target(1, 2000).metering());
        enforcer.adopt(id("b"), 4, OptionalInt.of(4), target(2, 6000).metering());

        enforcer.enforce(Map.of(id("a"), target(1, 5000), id("b"), target(2, 5000)));

        assertEquals(List.of("10.0.0.2 5000"), switches.asked());
        switches.confirmAll();
        assertEquals(List.of("10.0.0.1 5000"), switches.asked());
    }

    @Test
    void aNumberIsFreeAtASwitchThatAFlowHasLeftThoughTheNextOneRefusesIt() {
        enforcer.enforce(Map.of(id("a"), target(1, 2000)));
        switches.confirmAll();
        enforcer.enforce(Map.of(id("a"), moved(1, 2000)));
        switches.refuseAll(node(2));

        enforcer.enforce(Map.of(id("a"), moved(1, 2000), id("b"), target(2, 2000)));
        switches.confirmAll();

        assertEquals(OptionalInt.of(0), enforcer.declaration(id("b")).orElseThrow().meterNumber());
    }

    @Test
    void aMeterThatIsAsItShouldBeIsNotSentAgain() {
        enforcer.enforce(Map.of(id("a"), target(1, 2000)));
        switches.confirmAll();

        final var changed = enforcer.enforce(Map.of(id("a"), target(1, 2000))).toCompletableFuture().join();

        assertEquals(List.of(), switches.asked());
        assertEquals(Set.of(), changed);
    }

    @Test
    void nothingRisesBesideAMeterThatMayNotHaveFallen() {
        final var bed = new EngineBed(Topologies.line(3, 1, 1, RATES));
        bed.configure(flow("a", 1, 3), limited(flow("b", 2, 3), 2));
        assertEquals(List.of(8L, 2L), rates(bed));
        bed.programmer.detach(node(1));

        bed.configure(limited(flow("a", 1, 3), 1), flow("b", 2, 3));

        assertEquals(List.of(8L, 2L), rates(bed));
        assertTrue(bed.state("a").pending().orElseThrow().contains("away"), bed.state("a")::toString);
        assertTrue(bed.state("b").pending().orElseThrow().startsWith("rises when"), bed.state("b")::toString);
        bed.programmer.attach(node(1));
        bed.reallocate();
        assertEquals(List.of(1L, 9L), rates(bed));
        assertEquals(Optional.empty(), bed.state("b").pending());
    }

    @Test
    void aFallThatWasNotConfirmedComesBeforeARise() {
        final var bed = new EngineBed(Topologies.line(3, 1, 1, RATES));
        bed.configure(limited(flow("a", 1, 3), 2));
        bed.programmer.detach(node(1));
        bed.configure(limited(flow("a", 1, 3), 1));

        bed.configure(limited(flow("a", 1, 3), 4));
        bed.programmer.attach(node(1));
        bed.reallocate();

        assertEquals(List.of(4L), rates(bed));
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void otherPacketsHaveTheMeterBeforeItMayRise() {
        enforcer.enforce(Map.of(id("a"), target(1, 2000)));
        switches.confirmAll();
        enforcer.hold(Optional.of("it may not yet"));

        enforcer.enforce(Map.of(id("a"), target(2, 5000)));

        assertEquals(List.of("10.0.0.2 2000"), switches.asked());
        switches.confirmAll();
        assertEquals(List.of(), switches.asked());
        assertEquals(Optional.of("it may not yet"), hand.pending("a"));
    }

    @Test
    void aFlowWhoseNumberASwitchRefusesHasASmallerOneAsSoonAsThereIs() {
        enforcer.enforce(Map.of(id("a"), target(1, 2000)));
        switches.confirmAll();
        enforcer.enforce(Map.of(id("a"), target(1, 2000), id("b"), target(2, 3000)));
        switches.refuseAll();
        enforcer.enforce(Map.of(id("b"), target(2, 3000)));
        switches.refuseAll();
        switches.confirmAll();
        assertEquals(OptionalInt.of(1), enforcer.declaration(id("b")).orElseThrow().meterNumber());

        enforcer.enforce(Map.of(id("b"), target(2, 3000)));
        assertEquals(List.of("withdraw"), switches.asked());
        switches.confirmAll();
        assertEquals(List.of("10.0.0.2 3000"), switches.asked());
        switches.confirmAll();

        assertEquals(OptionalInt.of(0), enforcer.declaration(id("b")).orElseThrow().meterNumber());
    }

    @Test
    void aMeterThatASwitchHoldsKeepsItsNumberThoughARiseIsRefused() {
        enforcer.enforce(Map.of(id("a"), target(1, 2000)));
        switches.confirmAll();
        enforcer.enforce(Map.of(id("a"), target(1, 2000), id("b"), target(2, 3000)));
        switches.confirmAll();
        enforcer.enforce(Map.of(id("b"), target(2, 8000)));
        switches.confirmAll();
        switches.refuseAll();

        enforcer.enforce(Map.of(id("b"), target(2, 1000)));

        assertEquals(List.of("10.0.0.2 1000"), switches.asked());
        assertEquals(8000, enforcer.declaration(id("b")).orElseThrow().ceiling());
    }

    @Test
    void metersAreNumberedBySwitchAndNumbersAreForMeters() {
        final var bed = new EngineBed(Topologies.line(3, 1, 2, RATES));
        bed.configure(flow("a", 1, 2), limited(flow("b", 2, 4), 2), limited(flow("c", 3, 4), 3));
        assertEquals(Optional.empty(), bed.state("a").meter());
        assertEquals(List.of(OptionalInt.of(0), OptionalInt.of(0)), numbers(bed, "b", "c"));

        bed.configure(limited(flow("a", 1, 2), 1), limited(flow("b", 2, 4), 2), flow("c", 3, 1));
        assertEquals(List.of(OptionalInt.of(1), OptionalInt.of(0)), numbers(bed, "a", "b"));

        bed.configure(limited(flow("a", 1, 2), 1), flow("b", 2, 6), limited(flow("c", 3, 1), 1));
        assertEquals(List.of(OptionalInt.of(1), OptionalInt.of(0)), numbers(bed, "a", "c"));
        bed.configure(limited(flow("a", 1, 2), 1), limited(flow("d", 1, 6), 1));
        assertEquals(List.of(OptionalInt.of(1), OptionalInt.of(0)), numbers(bed, "a", "d"));
    }

    private static List<OptionalInt> numbers(final EngineBed bed, final String... flows) {
        return Stream.of(flows).map(flow -> bed.state(flow).meter().orElseThrow().meter()).toList();
    }

    @Test
    void aFlowThatGetsNoMeterKeepsNobodyFromRising() {
        enforcer.enforce(Map.of(id("a"), target(1, Metering.UNMETERED), id("b"), target(2, 2000)));
        switches.confirmAll();

        enforcer.enforce(Map.of(id("a"), target(1, 5000), id("b"), target(2, 5000)));
        switches.refuseAll();

        assertEquals(List.of("10.0.0.2 5000"), switches.asked());
        switches.confirmAll();
        enforcer.enforce(Map.of(id("a"), target(1, 3000), id("b"), target(2, 7000)));
        switches.refuseAll();
        assertEquals(List.of("10.0.0.2 7000"), switches.asked());
    }

    @Test
    void metersNeverLeakWhateverComesAndGoes() {
        final long seed = System.nanoTime();
        final var random = new Random(seed);
        final var bed = new EngineBed(Topologies.line(3, 1, 3, RATES));
        for (int step = 0; step < 200; step++) {
            final var flows = IntStream.range(0, random.nextInt(8)).mapToObj(n -> random(random, n))
                .toArray(FlowConfig[]::new);
            bed.configure(flows);
            final var metered = bed.engine.flows().stream().map(FlowState::meter).flatMap(Optional::stream).toList();
            assertEquals(metered.size(), bed.meters().size(), () -> "seed " + seed);
            assertTrue(metered.stream().allMatch(meter -> meter.meter().orElseThrow() < 2 * 7), () -> "seed " + seed);
            bed.network.snapshot().links().forEach(link -> assertTrue(
                load(bed, link.toString()) <= link.capacity().bitsPerSecond(), () -> "seed " + seed));
        }
        bed.configure();
        assertEquals(Map.of(), bed.meters());
    }

    @Test
    void atNoMomentMetersOverfillTheLinkOrUndercutAGuarantee() {
        final long seed = System.nanoTime();
        final var random = new Random(seed);
        final var bed = new EngineBed(Topologies.line(2, 1, 4, RATES));
        final var before = new ArrayList<FlowConfig>();
        for (int step = 0; step < 200; step++) {
            final var flows = IntStream.rangeClosed(1, 4).mapToObj(host -> promised(random, host)).toList();
            bed.configure(config(flows.toArray(FlowConfig[]::new)), () -> {
                final var meters = bed.meters();
                assertTrue(meters.values().stream().mapToLong(kilobits -> kilobits).sum() <= 10_000,
                    () -> "seed " + seed + ": " + meters);
                for (int i = 0; i < before.size(); i++) {
                    final int flow = i;
                    final var guarantee = Stream.of(before, flows).map(of -> of.get(flow).guarantee())
                        .min(Comparator.naturalOrder()).orElseThrow();
                    assertTrue(meters.get(node(1) + " " + bed.match(flow + 1, flow + 5)) * 1000
                        >= guarantee.bitsPerSecond(), () -> "seed " + seed + ": " + meters + " " + guarantee);
                }
            });
            before.clear();
            before.addAll(flows);
        }
        assertEquals(4, bed.meters().size());
    }

    /** A flow with up to a fifth of the link for sure. */
    private static FlowConfig promised(final Random random, final int host) {
        final long guarantee = random.nextLong(3);
        final var flow = guaranteed(flow("f" + host, host, host + 4), guarantee);
        return random.nextBoolean() ? flow : limited(flow, guarantee + 1 + random.nextLong(5));
    }

    private static FlowConfig random(final Random random, final int number) {
        final int from = 1 + random.nextInt(9);
        final var plain = flow("f" + number, from, 1 + (from + random.nextInt(8)) % 9);
        return random.nextBoolean() ? plain : limited(plain, 1 + random.nextInt(9));
    }

    /** Bit/s of the meters of flows over a link. */
    private static long load(final EngineBed bed, final String link) {
        final var ways = new Ways(bed.snapshot(), match -> List.of());
        return bed.engine.flows().stream().filter(state -> state.meter().isPresent()
            && ways.of(state.config().packets()) instanceof Way.Known way
            && way.paths().getFirst().links().contains(link))
            .mapToLong(state -> state.meter().orElseThrow().kilobits() * 1000).sum();
    }

    private static List<Long> rates(final EngineBed bed) {
        return bed.meters().values().stream().map(kilobits -> kilobits / 1000).toList();
    }
}

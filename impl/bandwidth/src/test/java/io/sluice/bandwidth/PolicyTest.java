// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.Allocation.Allocated;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.Allocation.Refused;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every policy, over random rounds. A failure names its seed. */
class PolicyTest {
    private static final int ROUNDS = 2_000;
    /** What is for small flows in any case does not scale. */
    private static final long LEAST_USE = 8_000;

    /** What is to hold of the answer to a round. */
    private interface Check {
        void of(long seed, Round round, Allocated allocated);
    }

    static Stream<Policy> policies() {
        return Stream.concat(policiesThatScale(), Stream.of(new AppFair(Map.of(
            new ApplicationId("t0", "a0"), new Throughput(9_000_000, 5_000_000, Bandwidth.ofMegabits(2)),
            new ApplicationId("t0", "a1"), new Throughput(1_000_000, 5_000_000, Bandwidth.ofMegabits(1))),
            500_000, 8)));
    }

    static Stream<Policy> policiesThatScale() {
        return Stream.concat(policiesThatKeepLeastShares(), Stream.of(new AppAware(0), new MaxMinRates()));
    }

    static Stream<Policy> policiesThatKeepLeastShares() {
        return Stream.of(new AppMaxMin(), new AppAware());
    }

    /** Checks what is not refused, which is more than half. */
    private static void check(final Policy policy, final LongFunction<Round> rounds, final Check check) {
        final long allocated = seeds().filter(seed -> {
            final var round = rounds.apply(seed);
            final var allocation = policy.allocate(round);
            if (allocation instanceof Allocated answer) {
                check.of(seed, round, answer);
            }
            return allocation instanceof Allocated;
        }).count();
        assertTrue(allocated > ROUNDS / 2, () -> "only " + allocated + " rounds are not refused");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void noLinkIsOverfullAndNoneHasRoomForAFlowThatWants(final Policy policy) {
        check(policy, RandomRounds::any, (seed, round, allocated) -> {
            final var flows = flows(round);
            final var room = room(round, allocated, flows);
            room.forEach((link, left) -> assertTrue(left >= -1e-3, () -> "seed " + seed + ": " + link + " " + left));
            for (final var rate : allocated.flows()) {
                final var flow = flows.get(rate.flow());
                final boolean atLimit = flow.limit().isPresent() && flow.limit().orElseThrow().equals(rate.rate());
                final boolean stopped = rate.bindingLink().isPresent()
                    && passes(flow, rate.bindingLink().orElseThrow())
                    && room.get(rate.bindingLink().orElseThrow()) <= flows.size() * 2;
                assertTrue(atLimit || stopped, () -> "seed " + seed + ": " + rate + " " + room);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("policies")
    void guaranteesAndLimitsAreKeptOrTheLinkIsNamed(final Policy policy) {
        seeds().forEach(seed -> {
            final var round = RandomRounds.any(seed);
            final var flows = flows(round);
            switch (policy.allocate(round)) {
                case Allocated allocated -> allocated.flows().forEach(rate -> {
                    final var flow = flows.get(rate.flow());
                    assertTrue(rate.rate().compareTo(flow.guarantee()) >= 0, () -> "seed " + seed + ": " + rate);
                    assertTrue(flow.limit().isEmpty() || rate.rate().compareTo(flow.limit().orElseThrow()) <= 0,
                        () -> "seed " + seed + ": " + rate);
                });
                case Refused refused -> {
                    final var guarantees = new Allocated(flows.entrySet().stream().map(entry -> new FlowRate(
                        entry.getKey(), entry.getValue().guarantee(), Optional.empty(), Optional.empty(), false))
                        .toList(), List.of());
                    assertTrue(room(round, guarantees, flows).get(refused.link()) < 0, () -> "seed " + seed);
                }
            }
        });
    }

    @ParameterizedTest
    @MethodSource("policies")
    void equalRoundsHaveEqualAnswers(final Policy policy) {
        seeds().limit(200).forEach(seed -> assertEquals(policy.allocate(RandomRounds.any(seed)),
            policy.allocate(RandomRounds.any(seed)), () -> "seed " + seed));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void anIdleFlowChangesNothing(final Policy policy) {
        check(policy, RandomRounds::any, (seed, round, before) -> {
            final var link = round.links().getFirst().name();
            final var idle = Flow.of("idle", List.of(link), Optional.of(new FlowReport(0, 0, 0, 0, 0)));
            final var after = (Allocated) policy.allocate(RandomRounds.withFlow(round, idle));
            assertEquals(active(before), active(after), () -> "seed " + seed);
        });
    }

    @ParameterizedTest
    @MethodSource("policiesThatScale")
    void ratesScaleWithTheNetworkAndItsLoad(final Policy policy) {
        final int factor = 1000;
        check(policy, seed -> RandomRounds.scaled(RandomRounds.any(seed), factor), (seed, round, small) -> {
            final var large = (Allocated) policy.allocate(RandomRounds.scaled(round, factor));
            for (int i = 0; i < small.flows().size(); i++) {
                final double expected = factor * (double) small.flows().get(i).rate().bitsPerSecond();
                assertEquals(expected, large.flows().get(i).rate().bitsPerSecond(), 2 * LEAST_USE * factor
                    + expected * 1e-4, "seed " + seed + ", " + small.flows().get(i).flow());
            }
        });
    }

    @ParameterizedTest
    @MethodSource("policiesThatKeepLeastShares")
    void noFlowStarves(final Policy policy) {
        check(policy, RandomRounds::any, (seed, round, allocated) -> {
            final var flows = flows(round);
            final var shares = equalShares(round, active(allocated), flows);
            for (final var rate : active(allocated)) {
                final var flow = flows.get(rate.flow());
                final double demand = rate.demand().map(Bandwidth::bitsPerSecond).orElse(Long.MAX_VALUE);
                final double share = shares.entrySet().stream().filter(link -> passes(flow, link.getKey()))
                    .mapToDouble(Map.Entry::getValue).min().orElseThrow();
                final double most = flow.limit().map(Bandwidth::bitsPerSecond).orElse(Long.MAX_VALUE);
                final double least = Math.min(Math.min(most, Math.max(demand, LEAST_USE)),
                    Math.max(share / 20, Math.min(share, 2_000)));
                assertTrue(rate.rate().bitsPerSecond() >= least - 2 - flows.size(),
                    () -> "seed " + seed + ": " + rate + " " + least);
            }
        });
    }

    /** Of each link, what guarantees leave of it, by its number of active flows. */
    private static Map<String, Double> equalShares(final Round round, final List<FlowRate> active,
            final Map<FlowId, Flow> flows) {
        final var guarantees = new Allocated(flows.entrySet().stream().map(entry -> new FlowRate(entry.getKey(),
            entry.getValue().guarantee(), Optional.empty(), Optional.empty(), false)).toList(), List.of());
        final var shares = room(round, guarantees, flows);
        shares.replaceAll((link, room) -> Math.max(0, room) / Math.max(1,
            active.stream().filter(rate -> passes(flows.get(rate.flow()), link)).count()));
        return shares;
    }

    private static LongStream seeds() {
        return LongStream.range(0, ROUNDS);
    }

    private static List<FlowRate> active(final Allocated allocated) {
        return allocated.flows().stream().filter(rate -> !rate.idle()).toList();
    }

    private static boolean passes(final Flow flow, final String link) {
        return flow.paths().stream().anyMatch(path -> path.links().contains(link));
    }

    private static Map<FlowId, Flow> flows(final Round round) {
        final var flows = new HashMap<FlowId, Flow>();
        round.tenants().forEach(tenant -> tenant.applications().forEach(application -> application.flows().forEach(
            flow -> flows.put(new FlowId(new ApplicationId(tenant.name(), application.name()), flow.name()), flow))));
        return flows;
    }

    private static Map<String, Double> room(final Round round, final Allocated allocated,
            final Map<FlowId, Flow> flows) {
        final var room = round.links().stream().collect(Collectors.toMap(AllocatableLink::name,
            link -> (double) link.available().bitsPerSecond()));
        allocated.flows().forEach(rate -> {
            final var paths = flows.get(rate.flow()).paths();
            final double whole = paths.stream().mapToLong(PathShare::weight).sum();
            paths.forEach(path -> path.links().forEach(link -> room.merge(link,
                -rate.rate().bitsPerSecond() * path.weight() / whole, Double::sum)));
        });
        return room;
    }
}

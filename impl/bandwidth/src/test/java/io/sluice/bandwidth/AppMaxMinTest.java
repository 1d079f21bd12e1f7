// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.AllocatableLink.Role;
import io.sluice.bandwidth.Allocation.Allocated;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.Allocation.Refused;
import io.sluice.bandwidth.ProgressiveFilling.Group;
import io.sluice.ortools.OrTools;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppMaxMinTest {
    private static final int SECOND_US = 1_000_000;

    @Test
    void progressIsThatOfALexicographicLinearProgram() {
        OrTools.load();
        for (long seed = 0; seed < 1_000; seed++) {
            final var instance = new Instance(RandomRounds.plain(seed), 0);
            final var rising = new Rising(instance);
            rising.toDemand();
            assertProgress(LexicographicProgram.toDemand(instance), rising, "to demand, seed " + seed);
            rising.toLimit();
            assertProgress(LexicographicProgram.toLimit(instance), rising, "to limit, seed " + seed);
        }
    }

    private static void assertProgress(final double[] expected, final Rising rising, final String where) {
        for (int flow = 0; flow < rising.rates.length; flow++) {
            final double of = expected[rising.instance.applicationOf[flow]];
            assertEquals(of, rising.rates[flow] / rising.instance.need[flow], 1e-5 * Math.max(1, of),
                where + ", " + rising.instance.ids.get(flow));
        }
    }

    @Test
    void ratesAreThoseOfASlowFillingWithGuaranteesLimitsWeightsAndPaths() {
        int compared = 0;
        for (long seed = 0; seed < 2_000; seed++) {
            final var instance = new Instance(RandomRounds.any(seed), 0);
            if (instance.refusal().isEmpty()) {
                final var rising = new Rising(instance);
                rising.toDemand();
                assertRates(SlowFilling.toDemand(instance), rising, "to demand, seed " + seed);
                rising.toLimit();
                assertRates(SlowFilling.toLimit(instance), rising, "to limit, seed " + seed);
                compared++;
            }
        }
        assertTrue(compared > 1_000, "only " + compared + " rounds compared");
    }

    private static void assertRates(final double[] expected, final Rising rising, final String where) {
        for (int flow = 0; flow < rising.rates.length; flow++) {
            assertEquals(expected[flow], rising.rates[flow], 1 + expected[flow] * 1e-6,
                where + ", " + rising.instance.ids.get(flow));
        }
    }

    @Test
    void headRoomGoesToTheFlowsOfAnApplicationTogether() {
        final var round = new Round(List.of(link("one", 10), link("two", 10)), List.of(tenant("t", 1,
            application("joined", reported("a", 1, "one"), reported("b", 3, "two")),
            application("x", reported("x", 1, "one")), application("y", reported("y", 1, "two")))), SECOND_US);

        assertEquals(List.of(1.666666, 5.0, 8.333333, 5.0), megabits(round));
    }

    @Test
    void flowsOfAnApplicationProgressTogetherOverDifferentBottlenecks() {
        final var round = new Round(List.of(link("narrow", 10), link("wide", 100)), List.of(tenant("t", 1,
            new Application("slow", 4, List.of(reported("a", 20, "narrow"), reported("b", 40, "wide"))),
            application("other", reported("c", 160, "wide")))), SECOND_US);

        assertEquals(List.of(10.0, 20.0, 80.0), megabits(round));
    }

    @Test
    void tenantsShareBandwidthHoweverManyApplicationsTheyHave() {
        final var round = new Round(List.of(link("l", 12)), List.of(
            tenant("one", 1, application("a", reported("f", 100, "l")), application("b", reported("f", 100, "l"))),
            tenant("two", 2, application("a", reported("f", 50, "l")))), SECOND_US);

        assertEquals(List.of(2.0, 2.0, 8.0), megabits(round));
    }

    @Test
    void whatAnApplicationLeavesGoesToItsSistersFirst() {
        final var limited = new Flow("f", List.of(new PathShare(List.of("l"), 1)), Stage.ONLY, 1, Bandwidth.ZERO,
            Optional.of(Bandwidth.ofMegabits(1)), Optional.of(report(100)));
        final var round = new Round(List.of(link("l", 12)), List.of(
            tenant("one", 1, new Application("a", 1, List.of(limited)), application("b", reported("f", 100, "l"))),
            tenant("two", 1, application("a", reported("f", 100, "l")))), SECOND_US);

        assertEquals(List.of(1.0, 5.0, 6.0), megabits(round));
    }

    @Test
    void aFlowIsSplitOverItsPathsByTheirWeights() {
        final var split = new Flow("f", List.of(new PathShare(List.of("up", "a"), 3), new PathShare(
            List.of("up", "b"), 1)), Stage.ONLY, 1, Bandwidth.ZERO, Optional.empty(), Optional.of(report(100)));
        final var round = new Round(List.of(link("up", 50), link("a", 9), link("b", 9)),
            List.of(tenant("t", 1, new Application("a", 1, List.of(split)))), SECOND_US);

        final var rate = rates(round).getFirst();
        assertEquals(Bandwidth.ofMegabits(12), rate.rate());
        assertEquals(Optional.of("a"), rate.bindingLink());
    }

    @Test
    void guaranteesThatDoNotFitAreRefusedWithTheirLinkAndFlows() {
        final var round = new Round(List.of(link("free", 20), link("full", 10)), List.of(tenant("t", 1, new Application(
            "a", 1, List.of(guaranteed("f", 6), guaranteed("g", 5))))), SECOND_US);
        final var application = new ApplicationId("t", "a");

        assertEquals(new Refused("full", Bandwidth.ofMegabits(11), Bandwidth.ofMegabits(10),
            List.of(new FlowId(application, "f"), new FlowId(application, "g"))), new AppMaxMin().allocate(round));
    }

    @Test
    void anApplicationWaitsForItsFlowOfLeastUtility() {
        final var round = new Round(List.of(link("narrow", 10), link("wide", 100)), List.of(tenant("t", 1,
            application("slow", reported("b", 40, "wide"), reported("a", 20, "narrow")))), SECOND_US);

        final var allocated = (Allocated) new AppMaxMin().allocate(round);
        final var slowest = allocated.slowest().getFirst();
        assertEquals("a", slowest.flow());
        final var rate = allocated.flows().stream().filter(each -> each.flow().equals(slowest)).findFirst()
            .orElseThrow();
        assertEquals(Optional.of("narrow"), rate.bindingLink());
        assertEquals(500_000, rate.utilityPpm().orElseThrow());
    }

    /** Figure 3's kind of question: a chain of four operators, three flows, placed in three ways on three machines. */
    @ParameterizedTest
    @CsvSource({"0101, 0.875", "0120, 1", "0102, 0.875"})
    void aChainHasTheBestThroughputOfAGridAndByMaxMinLess(final String placement, final double maxMin) {
        final int[] volumes = {12, 7, 3};
        final var links = IntStream.range(0, 3).boxed().flatMap(host -> List.of(link("up" + host, 10),
            link("down" + host, 10)).stream()).toList();
        final var flows = IntStream.range(0, 3).mapToObj(stage -> reported("f" + stage, volumes[stage],
            "up" + placement.charAt(stage), "down" + placement.charAt(stage + 1))).toArray(Flow[]::new);
        final var round = new Round(links, List.of(tenant("t", 1, application("a", flows))), SECOND_US);
        final var instance = new Instance(round, 0);
        final double best = bestOnGrid(instance);
        assertEquals(best, throughput(instance, megabits(new AppMaxMin(), round)), 1e-6);
        assertEquals(best, throughput(instance, megabits(new AppAware(0), round)), 1e-6);
        assertEquals(maxMin * best, throughput(instance, megabits(new MaxMinRates(), round)), 1e-6);
    }

    /** The gains of figure 3, of which the paper tells no volumes: those of three flows, two over a common uplink. */
    @ParameterizedTest
    @CsvSource({"001, 1.17", "010, 1.47", "100, 1.33"})
    void twoFlowsOverAnUplinkGainAsMuchAsInTheFigure(final String machines, final double gain) {
        final int[] volumes = {14, 10, 5};
        final var links = IntStream.rangeClosed(0, 1).mapToObj(machine -> new AllocatableLink("up" + machine,
            Role.UPLINK, Bandwidth.ofMegabits(10))).toList();
        final var flows = IntStream.range(0, 3).mapToObj(flow -> reported("f" + flow, volumes[flow],
            "up" + machines.charAt(flow))).toArray(Flow[]::new);
        final var round = new Round(links, List.of(tenant("t", 1, application("a", flows))), SECOND_US);
        final var instance = new Instance(round, 0);

        final double best = bestOnGrid(instance);
        assertEquals(gain, best / throughput(instance, megabits(new MaxMinRates(), round)), 0.02);
        assertEquals(best, throughput(instance, megabits(new AppMaxMin(), round)), 0.02 * best);
        assertEquals(best, throughput(instance, megabits(new AppAware(0), round)), 0.02 * best);
    }

    private static double bestOnGrid(final Instance instance) {
        double best = 0;
        final int steps = 101;
        for (int grid = 0; grid < steps * steps * steps; grid++) {
            final double[] rates = {grid % steps * 1e5, grid / steps % steps * 1e5, grid / steps / steps * 1e5};
            if (IntStream.range(0, instance.available.length)
                    .allMatch(link -> instance.crossings.load(link, rates) <= instance.available[link])) {
                best = Math.max(best, throughput(instance, Arrays.stream(rates).mapToObj(rate -> rate / 1e6).toList()));
            }
        }
        return best;
    }

    private static double throughput(final Instance instance, final List<Double> megabits) {
        return IntStream.range(0, megabits.size()).mapToDouble(flow -> megabits.get(flow) * 1e6 / instance.need[flow])
            .min().orElseThrow();
    }

    /** Phases 2 and 3, one after the other. */
    private static final class Rising {
        private final Instance instance;
        private final double[] rates;
        private final Group[] groups;
        private final ProgressiveFilling filling;

        Rising(final Instance instance) {
            this.instance = instance;
            rates = instance.guarantee.clone();
            groups = AppMaxMin.groups(instance);
            filling = new ProgressiveFilling(instance, rates);
        }

        void toDemand() {
            AppMaxMin.riseToDemand(instance, groups, filling);
        }

        void toLimit() {
            AppMaxMin.riseToLimit(instance, groups, filling, instance.need);
        }
    }

    private static List<Double> megabits(final Round round) {
        return megabits(new AppMaxMin(), round);
    }

    private static List<Double> megabits(final Policy policy, final Round round) {
        return ((Allocated) policy.allocate(round)).flows().stream()
            .map(rate -> rate.rate().bitsPerSecond() / 1e6).toList();
    }

    private static List<FlowRate> rates(final Round round) {
        return ((Allocated) new AppMaxMin().allocate(round)).flows();
    }

    private static AllocatableLink link(final String name, final int megabits) {
        return new AllocatableLink(name, Role.INTERNAL, Bandwidth.ofMegabits(megabits));
    }

    private static Tenant tenant(final String name, final long weight, final Application... applications) {
        return new Tenant(name, weight, List.of(applications));
    }

    private static Application application(final String name, final Flow... flows) {
        return new Application(name, 1, List.of(flows));
    }

    private static Flow reported(final String name, final int megabits, final String... links) {
        return Flow.of(name, List.of(links), Optional.of(report(megabits)));
    }

    private static Flow guaranteed(final String name, final int megabits) {
        return new Flow(name, List.of(new PathShare(List.of("free", "full"), 1)), Stage.ONLY, 1,
            Bandwidth.ofMegabits(megabits), Optional.empty(), Optional.empty());
    }

    private static FlowReport report(final int megabits) {
        return new FlowReport(megabits * 125_000L, 0, 0, 0, 0);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.AllocatableLink.Role;
import io.sluice.bandwidth.Allocation.Allocated;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LatestStageFirstTest {
    private static final int SECOND_US = 1_000_000;
    private static final int HALVINGS = 200;

    @Test
    void whatHasComeFarGoesFirstAndTheSourceWaits() {
        final var round = round(flow("source", 1, 90, "up"), flow("result", 2, 6, "up"));
        assertEquals(List.of(4.0, 6.0), megabits(round));
    }

    @Test
    void aResultHasNoMoreThanItWantsHoweverMuchWaitsAtTheSource() {
        final var round = round(flow("source", 1, 2000, "up"), flow("result", 2, 1, "up"));
        assertEquals(List.of(9.0, 1.0), megabits(round));
    }

    @Test
    void aFlowKeepsItsLeastShare() {
        final var round = round(flow("source", 1, 90, "up"), flow("result", 2, 10, "up"));
        assertEquals(List.of(0.25, 9.75), megabits(round));
    }

    @Test
    void flowsOfOneStageProgressTogether() {
        final var round = round(flow("one", 2, 10, "up"), flow("two", 2, 30, "up"), flow("source", 1, 10, "up"));
        assertEquals(List.of(2.458333, 7.375, 0.166666), megabits(round));
    }

    @Test
    void whatALinkElsewhereHoldsBackDoesNotGoToTheSource() {
        final var round = new Round(List.of(link("up", 10), link("narrow", 1)), List.of(tenant(
            flow("source", 1, 90, "up"), flow("held", 1, 90, "narrow"), flow("result", 2, 6, "up"))), SECOND_US);
        assertEquals(List.of(4.0, 1.0, 6.0), megabits(round));
    }

    @Test
    void aLaterStageGoesOnThoughASiblingIsStopped() {
        final var round = round(flow("stopped", 2, 40, "up"), flow("later", 2, 8, "other"),
            flow("earlier", 1, 20, "other"));
        assertEquals(List.of(10.0, 8.0, 2.0), megabits(round));
    }

    @Test
    void anotherApplicationHasAsMuchAsBefore() {
        final var staged = new Application("a", 1, List.of(flow("source", 1, 40, "up"), flow("result", 2, 3, "up")));
        final var other = new Application("b", 1, List.of(flow("f", 0, 20, "up")));
        assertEquals(List.of(2.0, 3.0, 5.0), megabits(new Round(links(), List.of(new Tenant("t", 1,
            List.of(staged, other))), SECOND_US)));
    }

    @Test
    void whatNobodyWantsGoesToApplicationsTogether() {
        final var joined = new Application("a", 1, List.of(flow("source", 1, 2, "up"), flow("result", 2, 4, "other")));
        final var beside = new Application("b", 1, List.of(flow("f", 0, 2, "other")));
        assertEquals(List.of(10.0, 5.0, 5.0), megabits(new Round(links(), List.of(new Tenant("t", 1,
            List.of(joined, beside))), SECOND_US)));
    }

    @Test
    void aReceiverThatCanNotPassOnHasLessThanOneThatIsShortOfWork() {
        final var round = new Round(List.of(link("up", 10), link("narrow", 1), link("wide", 10)), List.of(tenant(
            flow("held", new Stage(1, "source", "a"), 90, "up"), flow("short", new Stage(1, "source", "b"), 90, "up"),
            flow("late", new Stage(2, "a", "sink"), 20, "narrow"), flow("soon", new Stage(2, "b", "sink"), 1, "wide"))),
            SECOND_US);
        final var rates = megabits(round);
        assertEquals(10.0 / 21, rates.get(0), 1e-5);
        assertEquals(200.0 / 21, rates.get(1), 1e-5);
        assertEquals(1, rates.get(2), 1e-5);
    }

    @Test
    void flowsTakeWhatNobodyUsed() {
        final var round = new Round(List.of(link("source", 10), link("middle", 10), link("sink", 20)), List.of(tenant(
            flow("one", 1, 100, "source", "sink"), flow("other", 1, 100, "source"), flow("words", 2, 92, "middle"),
            flow("result", 3, 8, "middle", "sink"))), SECOND_US);
        assertEquals(List.of(5.0, 5.0, 2.0, 8.0), megabits(round));
    }

    @Test
    void aFlowThatIsNotReportedStaysAsItIs() {
        final var unknown = new Flow("unknown", List.of(new PathShare(List.of("up"), 1)), new Stage(3, "", ""), 1,
            Bandwidth.ZERO, Optional.empty(), Optional.empty());
        final var round = round(flow("source", 1, 90, "up"), flow("result", 2, 10, "up"), unknown);
        final double unordered = 10.0 * 50 / 150;
        final var rates = megabits(round);
        assertEquals(unordered, rates.get(2), 1e-5);
        assertEquals(10.0 / 3 * Instance.LEAST_SHARE, rates.getFirst(), 1e-5);
    }

    @Test
    void ratesAreThoseOfASlowReorder() {
        int compared = 0;
        for (long seed = 0; seed < 2_000; seed++) {
            final var instance = new Instance(RandomRounds.any(seed), Instance.LEAST_SHARE);
            final double[] before = instance.guarantee.clone();
            if (instance.refusal().isEmpty()) {
                final var groups = AppMaxMin.groups(instance);
                AppMaxMin.riseToDemand(instance, groups, new ProgressiveFilling(instance, before));
                Scaling.lift(instance, before);
                final var filling = new ProgressiveFilling(instance, before);
                AppMaxMin.riseToLimit(instance, groups, filling, instance.need);
                Leftovers.share(instance, filling, instance.need);
                final double[] rates = before.clone();
                final boolean staged = LatestStageFirst.reorder(instance, groups, rates).isPresent();
                assertEquals(!stagedApplications(instance).isEmpty(), staged, "seed " + seed);
                final double[] expected = before.clone();
                final double[] free = freeForEach(instance, before);
                stagedApplications(instance).forEach(application -> slow(instance, application, expected, free));
                neverHasMore(instance, before, rates, free, "seed " + seed);
                assertArrayEquals(expected, rates, 1 + 1e-6 * DoubleStream.of(before).sum(), "seed " + seed);
                compared += staged ? 1 : 0;
            }
        }
        assertTrue(compared > 300, "only " + compared + " rounds compared");
    }

    private static List<Integer> stagedApplications(final Instance instance) {
        return IntStream.range(0, instance.applications.size()).filter(application -> {
            final int[] flows = active(instance, application);
            return stages(instance, flows).length > 1;
        }).boxed().toList();
    }

    private static void neverHasMore(final Instance instance, final double[] before, final double[] after,
            final double[] free, final String where) {
        for (int application = 0; application < instance.applications.size(); application++) {
            final int[] flows = active(instance, application);
            final double[] had = loads(instance, flows, before);
            final double[] has = loads(instance, flows, after);
            for (int link = 0; link < had.length; link++) {
                assertTrue(has[link] <= (had[link] + free[link]) * (1 + 1e-9) + 1e-3, where);
            }
        }
    }

    /** Those that are reported. */
    private static int[] active(final Instance instance, final int application) {
        return Arrays.stream(instance.activeFlows).filter(flow -> instance.applicationOf[flow] == application
            && instance.flows.get(flow).report().isPresent()).toArray();
    }

    private static int[] stages(final Instance instance, final int[] flows) {
        return IntStream.of(flows).map(flow -> -instance.flows.get(flow).stage().number()).distinct().sorted()
            .map(i -> -i).toArray();
    }

    /** As the documentation states it: rates rise by bisection, inside what the application had of each link. */
    private static void slow(final Instance instance, final int application, final double[] rates,
            final double[] free) {
        final int[] flows = active(instance, application);
        final double[] had = loads(instance, flows, rates);
        Arrays.setAll(had, link -> had[link] + free[link]);
        final double[] needs = instance.need.clone();
        for (final int flow : flows) {
            rates[flow] = instance.least[flow];
        }
        for (final int stage : stages(instance, flows)) {
            int[] open = members(instance, flows, stage);
            IntStream.of(open).forEach(flow -> needs[flow] *= passedOn(instance, flows, flow, rates));
            rise(instance, flows, open, needs, new double[rates.length], rates, had);
            while (open.length > 0) {
                rise(instance, flows, open, needs, rates.clone(), rates, had);
                open = IntStream.of(open).filter(flow -> canRise(instance, flows, flow, rates, had)).toArray();
            }
        }
    }

    /** What a flow keeps counts as wanted, and beyond that what was measured. */
    private static double wanted(final Instance instance, final int flow) {
        return Math.max(instance.least[flow], Math.min(instance.toSend[flow], instance.wanted[flow]));
    }

    /** Part of what later flows want that begin where {@code flow} ends which they have, a twentieth at least. */
    private static double passedOn(final Instance instance, final int[] flows, final int flow, final double[] rates) {
        final var stage = instance.flows.get(flow).stage();
        final int[] later = IntStream.of(flows).filter(other -> {
            final var of = instance.flows.get(other).stage();
            return of.number() > stage.number() && of.from().equals(stage.to());
        }).toArray();
        final double wanted = IntStream.of(later).mapToDouble(other -> wanted(instance, other)).sum();
        final double had = IntStream.of(later).mapToDouble(other -> rates[other]).sum();
        return wanted > 0 ? Math.clamp(had / wanted, 0.05, 1) : 1;
    }

    /** Of each link, what is free by the number of staged applications that pass it. */
    private static double[] freeForEach(final Instance instance, final double[] rates) {
        return IntStream.range(0, instance.available.length).mapToDouble(link -> {
            final long passing = stagedApplications(instance).stream().filter(application ->
                IntStream.of(active(instance, application)).anyMatch(flow ->
                    IntStream.of(instance.crossings.linksOf(flow)).anyMatch(other -> other == link))).count();
            return passing == 0 ? 0
                : Math.max(0, instance.available[link] - instance.crossings.load(link, rates)) / passing;
        }).toArray();
    }

    private static int[] members(final Instance instance, final int[] flows, final int stage) {
        return IntStream.of(flows).filter(flow -> instance.flows.get(flow).stage().number() == stage).toArray();
    }

    private static double[] loads(final Instance instance, final int[] flows, final double[] rates) {
        final double[] own = new double[rates.length];
        IntStream.of(flows).forEach(flow -> own[flow] = rates[flow]);
        return instance.crossings.loads(own);
    }

    /** Raises the members by one level times their needs, above a base, until one can't go on or all have enough. */
    private static void rise(final Instance instance, final int[] flows, final int[] members, final double[] needs,
            final double[] base, final double[] rates, final double[] had) {
        final double[] start = rates.clone();
        double least = 0;
        double most = IntStream.of(members).mapToDouble(flow -> wanted(instance, flow) / needs[flow]).max()
            .orElseThrow();
        for (int i = 0; i < HALVINGS; i++) {
            final double middle = i == 0 ? most : (least + most) / 2;
            raise(instance, members, needs, base, start, rates, middle);
            if (fits(instance, flows, rates, had)) {
                least = middle;
            } else {
                most = middle;
            }
        }
        raise(instance, members, needs, base, start, rates, least);
    }

    private static void raise(final Instance instance, final int[] members, final double[] needs,
            final double[] base, final double[] start, final double[] rates, final double level) {
        for (final int flow : members) {
            rates[flow] = Math.max(start[flow],
                Math.min(wanted(instance, flow), base[flow] + needs[flow] * level));
        }
    }

    private static boolean fits(final Instance instance, final int[] flows, final double[] rates,
            final double[] had) {
        final double[] loads = loads(instance, flows, rates);
        return IntStream.range(0, loads.length).allMatch(link -> loads[link] <= had[link] * (1 + 1e-10) + 1e-6);
    }

    private static boolean canRise(final Instance instance, final int[] flows, final int flow, final double[] rates,
            final double[] had) {
        final double before = rates[flow];
        if (before >= wanted(instance, flow) - 1e-3) {
            return false;
        }
        rates[flow] = before + 1e-2;
        final boolean fits = fits(instance, flows, rates, had);
        rates[flow] = before;
        return fits;
    }

    private static Round round(final Flow... flows) {
        return new Round(links(), List.of(tenant(flows)), SECOND_US);
    }

    private static Tenant tenant(final Flow... flows) {
        return new Tenant("t", 1, List.of(new Application("a", 1, List.of(flows))));
    }

    private static List<AllocatableLink> links() {
        return List.of(link("up", 10), link("other", 10));
    }

    private static AllocatableLink link(final String name, final int megabits) {
        return new AllocatableLink(name, Role.UPLINK, Bandwidth.ofMegabits(megabits));
    }

    private static Flow flow(final String name, final int stage, final int megabits, final String... links) {
        return flow(name, new Stage(stage, name + " from", name + " to"), megabits, links);
    }

    private static Flow flow(final String name, final Stage stage, final int megabits, final String... links) {
        return new Flow(name, List.of(new PathShare(List.of(links), 1)), stage, 1, Bandwidth.ZERO, Optional.empty(),
            Optional.of(new FlowReport(megabits * 125_000L, 0, 0, 0, 0)));
    }

    private static List<Double> megabits(final Round round) {
        return ((Allocated) new AppMaxMin().allocate(round)).flows().stream()
            .map(rate -> rate.rate().bitsPerSecond() / 1e6).toList();
    }
}

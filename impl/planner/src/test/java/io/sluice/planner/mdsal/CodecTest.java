// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.CapacityAnswer.Expanded;
import io.sluice.planner.lp.EdgeProgram;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Stopped;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Vnf;
import io.sluice.planner.placement.PlacementAnswer.Hint;
import io.sluice.planner.placement.PlacementAnswer.Placed;
import io.sluice.planner.plan.Change;
import io.sluice.planner.plan.Plan;
import io.sluice.planner.plan.Proposals;
import io.sluice.planner.run.Progress;
import io.sluice.planner.run.Run;
import io.sluice.planner.run.Status;
import io.sluice.planner.run.Status.End;
import io.sluice.planner.run.Task;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CycleRate;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Delay;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Load;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Outcome;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Planner;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.PlannerBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartPlacementInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIfInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Chain;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.ChainBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.LinkBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.NodeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.RoutingBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.SiteBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.VnfBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.vnf.DeploymentBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.traffic.Stage;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.traffic.StageBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.AdditionBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.CutBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.FailureBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.addition.AddedSiteBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.failure.InstancesDownBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.BitRate;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Ratio;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Share;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

class CodecTest {
    private static final long CYCLES = 1_000;

    @Test
    void headroomIsATenthUnlessItIsSaid() {
        assertEquals(0.1, new ProblemCodec(config("a")).headroom());
        final var quarter = new PlannerBuilder(config("a")).setHeadroom(new Ratio(Uint32.valueOf(250_000))).build();
        assertEquals(0.25, new ProblemCodec(quarter).headroom());
    }

    @Test
    void thingsAreNumberedByNameAndHaveTheDefaultsOfTheModel() {
        final Problem problem = new ProblemCodec(config("a")).problem();

        assertEquals(List.of("a", "b"), problem.network().nodes());
        final var link = problem.network().links().get(0);
        assertEquals(List.of(0L, 1L, 5L, 1L, 1_000_000L, 0L), List.of((long) link.from(), (long) link.to(),
            link.delayUs(), link.weight(), (long) link.utilisationLimitPpm(), link.background().bitsPerSecond()));
        assertEquals(1, problem.sites().get(0).node());
        assertEquals(List.of(new io.sluice.planner.model.Stage(new Bandwidth(7), Bandwidth.ZERO),
            new io.sluice.planner.model.Stage(new Bandwidth(3), new Bandwidth(2))),
            problem.chains().get(0).stages());
    }

    @Test
    void whatIsMissingIsNamed() {
        assertEquals("chain c: there is no node z",
            assertThrows(IllegalArgumentException.class, () -> new ProblemCodec(config("z"))).getMessage());
        final var site = new SiteBuilder().setName(new ObjectName("s")).setNode(new ObjectName("a")).build();
        final var closed = new PlannerBuilder().setNode(BindingMap.of(node("a"))).setSite(BindingMap.of(site)).build();
        final var missing = assertThrows(IllegalArgumentException.class, () -> new ProblemCodec(closed)).getMessage();
        assertTrue(missing.startsWith("site s: ") && missing.contains("capacity"), missing);
    }

    @Test
    void routingsThatAreGivenAreTaken() {
        final var way = new org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.routing.LinkBuilder()
            .setName(new ObjectName("ab")).setShare(new Share(Uint32.valueOf(1_000_000))).build();
        final var routing = new RoutingBuilder().setFrom(new ObjectName("a")).setTo(new ObjectName("b"))
            .setLink(BindingMap.of(way)).build();
        assertEquals(List.of(new io.sluice.planner.model.Routing(0, 1, Map.of(0, 1_000_000))), new ProblemCodec(
            new PlannerBuilder(config("a")).setRouting(BindingMap.of(routing)).build()).problem().network().routings());
    }

    @Test
    void aDelayThatWasMeasuredIsTaken() {
        final var routing = new RoutingBuilder().setFrom(new ObjectName("a")).setTo(new ObjectName("b"))
            .setDelay(new Delay(Uint32.valueOf(70))).build();
        assertEquals(List.of(new io.sluice.planner.model.Routing(0, 1, Map.of(), OptionalLong.of(70))),
            new ProblemCodec(new PlannerBuilder(config("a")).setRouting(BindingMap.of(routing)).build()).problem()
                .network().routings());
    }

    @Test
    void aStageThatTheChainDoesNotHaveIsNamed() {
        final var chain = chain("a").setStage(BindingMap.of(stage(2))).build();
        assertEquals("chain c: there is no stage 2, the last one is 1", refusal(chain));
    }

    @Test
    void ratesBeyondAllMeasureAreNamed() {
        final var largest = new BitRate(Uint64.valueOf(Long.MAX_VALUE));
        final var above = new BitRate(Uint64.MAX_VALUE);
        assertEquals("chain c: 18446744073709551615 bit/s are more than 9223372036854775807",
            refusal(chain("a").setForward(above).build()));
        assertEquals("chain c: 9223372036854775807 bit/s and 1 bit/s together are more than 9223372036854775807",
            refusal(chain("a").setForward(largest).setReverse(rate(1)).build()));

        final var config = new ProblemCodec(config(chain("a").setForward(largest).build())).problem();
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new Change.Traffic(1_500_000).applyTo(config))
            .getMessage().startsWith("c: 9223372036854775807 bit/s times 1500000 ppm"));
    }

    @Test
    void changesSpeakOfTheConfigurationsThings() {
        final var config = new ProblemCodec(config("a"));
        assertEquals(new Change.LinksDown(Set.of(0)), WhatIfCodec.change(new WhatIfInputBuilder().setChange(
            new CutBuilder().setLinkDown(Set.of(new ObjectName("ab"))).build()).build(), config));
        final var added = (Change.SiteAdded) WhatIfCodec.change(new WhatIfInputBuilder().setChange(
            new AdditionBuilder().setAddedSite(new AddedSiteBuilder().setNode(new ObjectName("a"))
                .setCapacity(cycles()).setVnf(Set.of(new ObjectName("nat"))).build()).build()).build(), config);
        assertEquals(Map.of(0, CYCLES), added.cyclesPerSecond());
        assertThrows(IllegalArgumentException.class,
            () -> WhatIfCodec.change(new WhatIfInputBuilder().build(), config));
    }

    @Test
    void instancesFailWhereThereAreSome() {
        final var config = new ProblemCodec(config("a"));
        final var down = new InstancesDownBuilder().setVnf(new ObjectName("nat")).setSite(new ObjectName("s"));
        assertEquals(new Change.Instances(0, 0, 0), failure(down, config));
        assertEquals(new Change.Instances(0, 0, CYCLES), failure(down.setCapacity(cycles()), config));

        final var bare = new VnfBuilder().setName(new ObjectName("nat")).setLoad(new Load(Uint32.ONE)).build();
        final var nowhere = new PlannerBuilder(config("a")).setVnf(BindingMap.of(bare)).build();
        assertEquals("nat is not at s", assertThrows(IllegalArgumentException.class,
            () -> failure(down, new ProblemCodec(nowhere))).getMessage());
    }

    private static Change failure(final InstancesDownBuilder down, final ProblemCodec config) {
        return WhatIfCodec.change(new WhatIfInputBuilder().setChange(
            new FailureBuilder().setInstancesDown(down.build()).build()).build(), config);
    }

    @Test
    void aRunIsShownWithAllOfItsRoutes() {
        for (final var objective : Objective.values()) {
            final var run = new Run(new Task.Routing(objective), 1e-4, 1_000, () -> 0);
            assertEquals(Outcome.Waiting, RunCodec.run(1, Instant.EPOCH, run.status()).getOutcome());
            assertNull(RunCodec.run(1, Instant.EPOCH, run.status()).getElapsed());
            run.execute(new Change.Traffic(100_000).applyTo(RandomProblems.of(1)));
            final var shown = RunCodec.run(1, Instant.EPOCH, run.status());

            assertEquals(Outcome.Routed, shown.getOutcome());
            assertEquals(RandomProblems.of(1).chains().size(), shown.nonnullChain().size());
            shown.nonnullChain().values().forEach(chain -> assertEquals(1_000_000, chain.nonnullRoute().values()
                .stream().mapToLong(route -> route.requireShare().getValue().toJava()).sum()));
            assertTrue(shown.requireGap().getValue().toJava() <= 100);
        }
    }

    /** No traffic can grow without end; and a long way at a high rate is more than 64 bits hold. */
    @Test
    void whatIsMoreThanCanBeSaidIsLeftOut() {
        final var run = new Run(new Task.Routing(Objective.SCALE), 1e-4, 1_000, () -> 0);
        run.execute(RandomProblems.of(1).withChains(List.of()));
        final var shown = RunCodec.run(1, Instant.EPOCH, run.status());
        assertEquals(Outcome.Routed, shown.getOutcome());
        assertNull(shown.getValue());
        assertNull(shown.getBound());

        assertEquals(Uint64.valueOf("18446744073709549568"), RunCodec.whole(Math.nextDown(0x1p64)));
        assertNull(RunCodec.whole(0x1p64));
        assertNull(RunCodec.whole(Double.NaN));
        assertEquals(Uint64.valueOf(3), RunCodec.whole(2.5));
        assertEquals(Uint64.ZERO, RunCodec.whole(-1e-9));
    }

    /** As long as no routes carry all of it, what they can't beat is all that is known. */
    @Test
    void aBoundIsShownBeforeThereIsAValueAndAfterARunThatWasStopped() {
        final var steps = List.of(new Progress(5, Double.POSITIVE_INFINITY, 7, Double.POSITIVE_INFINITY));
        final var task = new Task.Routing(Objective.LATENCY);
        final var early = RunCodec.run(1, Instant.EPOCH, new Status(task, true, 6, Optional.empty(), steps,
            Optional.empty()));
        assertEquals(Outcome.Running, early.getOutcome());
        assertEquals(Uint64.valueOf(7), early.getBound());
        assertNull(early.getValue());
        assertNull(early.getGap());
        assertNull(early.nonnullProgress().values().iterator().next().getGap());

        final var instance = Instance.of(RandomProblems.of(1).withChains(List.of()));
        final var end = RunCodec.run(1, Instant.EPOCH, new Status(task, true, 6, Optional.empty(), steps,
            Optional.of(new End.Answered(instance, new Stopped(8, 0.5, List.of())))));
        assertEquals(Outcome.Stopped, end.getOutcome());
        assertEquals(Uint64.valueOf(8), end.getBound());
        assertNull(end.getValue());
    }

    @Test
    void eachVnfMayHaveAsManyNewSitesAsItSays() {
        final var config = new ProblemCodec(config("a"));
        final var named = new org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.start.placement.input
            .VnfBuilder().setName(new ObjectName("nat"));
        assertEquals(Map.of(0, 2), config.newSites(new StartPlacementInputBuilder().build(), 2));
        assertEquals(Map.of(0, 2), config.newSites(new StartPlacementInputBuilder()
            .setVnf(BindingMap.of(named.build())).build(), 2));
        assertEquals(Map.of(0, 3), config.newSites(new StartPlacementInputBuilder()
            .setVnf(BindingMap.of(named.setNewSites(Uint16.valueOf(3)).build())).build(), 2));
    }

    @Test
    void anOverloadIsShownWithWhatWouldFit() {
        final var run = new Run(new Task.Routing(Objective.LATENCY), 1e-4, 1_000, () -> 0);
        run.execute(new Change.Traffic(1_000_000_000).applyTo(RandomProblems.of(1)));
        final var shown = RunCodec.run(1, Instant.EPOCH, run.status());

        assertEquals(Outcome.Overloaded, shown.getOutcome());
        assertTrue(shown.requireReason().matches("no more than 0\\.00\\d+ of all traffic fits: it takes all of .+; "
            + "objective carried routes what fits"), shown.requireReason());
        final var dearest = shown.nonnullBinding().values().stream()
            .max(Comparator.comparing(full -> full.requirePrice().decimalValue())).orElseThrow();
        assertTrue(shown.requireReason().contains("all of " + dearest.getResource() + ";"), shown::toString);
        assertEquals(1, shown.nonnullBinding().values().stream()
            .mapToDouble(full -> full.requirePrice().doubleValue()).sum(), 1e-4);
        final double share = EdgeProgram.optimum(RandomProblems.of(1), Objective.SCALE).orElseThrow() / 1_000;
        assertEquals(share * 1e6, shown.getBound().longValue(), 1 + share * 1e6 * 1e-4);
        assertNull(shown.getValue());
        assertNull(shown.getGap());
    }

    @Test
    void whatARunFindsIsShownByName() {
        final var problem = RandomProblems.of(26);
        final var sites = problem.sites().stream().map(Site::name).toList();

        final var grown = new Run(new Task.Capacity(500_000), 1e-4, Long.MAX_VALUE / 2, () -> 0);
        final var added = ((Expanded) ((End.Expanded) end(grown, problem)).answer()).additions().ofSite();
        assertEquals(org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Task.Capacity,
            shown(grown).getTask());
        assertEquals(IntStream.range(0, sites.size()).filter(site -> added.get(site) > 0).boxed()
            .collect(Collectors.toMap(sites::get, added::get)), shown(grown).nonnullAddition().values().stream()
            .collect(Collectors.toMap(addition -> addition.getSite().getValue(),
                addition -> addition.getCapacity().getValue().longValue())));

        final var placing = new Run(new Task.Placement(Map.of(0, 1, 1, 1), 300_000), 1e-4, Long.MAX_VALUE / 2, () -> 0);
        final var hints = ((Placed) ((End.Hinted) end(placing, problem)).answer()).hints();
        assertFalse(hints.isEmpty());
        assertEquals(Set.copyOf(hints), shown(placing).nonnullHint().values().stream().map(hint -> new Hint(
            List.of("vnf-0", "vnf-1").indexOf(hint.getVnf().getValue()), sites.indexOf(hint.getSite().getValue()),
            hint.getCapacity().getValue().longValue())).collect(Collectors.toSet()));

        final var moving = new Run(new Task.Moves(movable(problem), 3), 1e-4, Long.MAX_VALUE / 2, () -> 0);
        final var moves = ((End.Proposed) end(moving, problem)).proposals().moves();
        assertFalse(moves.isEmpty());
        assertEquals(moves.stream().map(Proposals.Move::chain).toList(), shown(moving).nonnullMove().stream()
            .map(move -> move.getChain().getValue()).toList());
        shown(moving).nonnullMove().forEach(move -> assertEquals(1_000_000, move.nonnullRoute().values()
            .stream().mapToLong(route -> route.requireShare().getValue().toJava()).sum()));
    }

    /** A plan that was made while the first site was closed: some chains go far. */
    private static Plan movable(final Problem problem) {
        return Plan.of(new Change.SiteDown(0).applyTo(problem), () -> false).on(problem, Set.of()).plan();
    }

    private static End end(final Run run, final Problem problem) {
        run.execute(problem);
        return run.status().end().orElseThrow();
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Run shown(final Run run) {
        final var shown = RunCodec.run(1, Instant.EPOCH, run.status());
        assertEquals(Outcome.Found, shown.getOutcome(), shown::toString);
        assertTrue(shown.requireGap().getValue().toJava() <= 100, shown::toString);
        return shown;
    }

    /** Two sites at one node, each with room for one of two chains. */
    @Test
    void whereNothingTakesTimeNothingHasAPrice() {
        final var vnf = new Vnf("nat", 8_000, List.of(new Deployment(0, 1_000), new Deployment(1, 1_000)));
        final var stage = new io.sluice.planner.model.Stage(new Bandwidth(450), Bandwidth.ZERO);
        final var chains = Stream.of("one", "two").map(name -> new io.sluice.planner.model.Chain(name, List.of(0),
            List.of(0), List.of(0), List.of(stage, stage))).toList();
        final var run = new Run(new Task.Routing(Objective.LATENCY), 1e-4, 1_000, () -> 0);
        run.execute(new Problem(new Network(List.of("a"), List.of()),
            List.of(new Site("s", 0, 1_000), new Site("t", 0, 1_000)), List.of(vnf), chains));
        final var shown = RunCodec.run(1, Instant.EPOCH, run.status());

        assertEquals(Outcome.Routed, shown.getOutcome());
        assertEquals(Uint64.ZERO, shown.getValue());
        assertEquals(Map.of(), shown.nonnullBinding());
    }

    private static String refusal(final Chain chain) {
        return assertThrows(IllegalArgumentException.class, () -> new ProblemCodec(config(chain))).getMessage();
    }

    private static Planner config(final String ingress) {
        return config(chain(ingress).build());
    }

    static ChainBuilder chain(final String ingress) {
        return new ChainBuilder().setName(new ObjectName("c")).setIngress(Set.of(new ObjectName(ingress)))
            .setEgress(Set.of(new ObjectName("b"))).setVnf(List.of(new ObjectName("nat"))).setForward(rate(7))
            .setStage(BindingMap.of(stage(1)));
    }

    private static Stage stage(final int number) {
        return new StageBuilder().setNumber(Uint8.valueOf(number)).setForward(rate(3)).setReverse(rate(2)).build();
    }

    static Planner config(final Chain chain) {
        final var link = new LinkBuilder().setName(new ObjectName("ab")).setFrom(new ObjectName("a"))
            .setTo(new ObjectName("b")).setBandwidth(rate(9)).setDelay(new Delay(Uint32.valueOf(5))).build();
        final var site = new SiteBuilder().setName(new ObjectName("s")).setNode(new ObjectName("b"))
            .setCapacity(cycles()).build();
        final var vnf = new VnfBuilder().setName(new ObjectName("nat")).setLoad(new Load(Uint32.ONE))
            .setDeployment(BindingMap.of(new DeploymentBuilder().setSite(new ObjectName("s"))
                .setCapacity(cycles()).build())).build();
        return new PlannerBuilder().setNode(BindingMap.of(node("b"), node("a"))).setLink(BindingMap.of(link))
            .setSite(BindingMap.of(site)).setVnf(BindingMap.of(vnf)).setChain(BindingMap.of(chain)).build();
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Node node(final String name) {
        return new NodeBuilder().setName(new ObjectName(name)).build();
    }

    static BitRate rate(final long bitsPerSecond) {
        return new BitRate(Uint64.valueOf(bitsPerSecond));
    }

    private static CycleRate cycles() {
        return new CycleRate(Uint64.valueOf(CYCLES));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Split;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import io.sluice.planner.plan.Change.Traffic;
import io.sluice.planner.run.Status.End;
import io.sluice.planner.run.Task;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ProposalsTest {
    private static final int PROBLEMS = 60;
    private static final Stage STAGE = new Stage(new Bandwidth(100), Bandwidth.ZERO);
    /** From a node to itself, over the VNF. */
    private static final Chain CHAIN = new Chain("c", List.of(0), List.of(0), List.of(0), List.of(STAGE, STAGE));

    /** Among them plans in which chains are short though SB-LP finds room for all. */
    @Test
    void proposedMovesBringWhatTheyPromise() {
        int faster = 0;
        int larger = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = loaded(RandomProblems.of(seed));
            final var plan = Plan.of(problem, () -> false);
            final var before = plan.figures();
            final var proposals = Proposals.of(plan, routed(problem), 2, () -> false);
            final var moves = proposals.moves();
            assertTrue(moves.size() <= 2, label);
            moves.forEach(move -> assertTrue(plan.move(move.chain(), move.split()), label));
            assertEquals(before.latency() - moves.stream().mapToDouble(Proposals.Move::gain).sum(),
                plan.figures().latency(), 1, label);
            assertEquals(before.carried().bitsPerSecond() + moves.stream().mapToDouble(Proposals.Move::more).sum(),
                plan.figures().carried().bitsPerSecond(), 2, label);
            assertTrue(plan.figures().fullest() <= 1_000_001, label);
            faster += moves.stream().anyMatch(move -> move.more() == 0) ? 1 : 0;
            larger += moves.stream().anyMatch(move -> move.more() > 0) ? 1 : 0;
        }
        assertTrue(faster > 0 && larger > 0, faster + " were faster, " + larger + " larger");
    }

    /** Before they are made, the first chain goes, and once the network is another. */
    @Test
    void onlyMovesThatStillFitAreMade() {
        int made = 0;
        int left = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = loaded(RandomProblems.of(seed));
            final var origin = Plan.of(problem, () -> false);
            final var proposals = Proposals.of(origin, routed(problem), 9, () -> false);
            final var whole = origin.copy();
            assertEquals(proposals.moves().stream().map(Proposals.Move::chain).toList(),
                proposals.makeIn(whole, origin), label);
            assertEquals(List.of(), proposals.makeIn(whole, origin), label + ", there already");

            final var plan = origin.copy();
            for (final var move : proposals.moves().stream().limit(1).toList()) {
                plan.remove(move.chain());
            }
            final var moved = proposals.makeIn(plan, origin);
            assertTrue(proposals.moves().stream().limit(1).noneMatch(move -> moved.contains(move.chain())), label);
            assertTrue(plan.figures().fullest() <= 1_000_001, label);
            made += moved.size();
            left += proposals.moves().size() - moved.size();
            assertEquals(List.of(), proposals.makeIn(Plan.of(RandomProblems.of(seed + 1), () -> false), origin), label);
        }
        assertTrue(made > 0 && left > 0, made + " were made, " + left + " left");
    }

    /** A VNF without load takes nothing of a site; it is proposed at the near one, which closes before the move. */
    @Test
    void nobodyMovesToWhatClosedMeanwhile() {
        for (final int closed : new int[] {-1, 0, 1}) {
            final var origin = new Plan(detour(9, 9), Set.of());
            origin.keep(CHAIN, split(0, 1, 0), false);
            final var proposals = new Proposals(List.of(new Proposals.Move("c", split(0, 0, 0), 0, 1)));
            final var plan = new Plan(detour(closed == 0 ? 0 : 9, closed == 1 ? 0 : 9), Set.of());
            plan.keep(CHAIN, split(0, 1, 0), false);
            assertEquals(closed < 0 ? List.of("c") : List.of(), proposals.makeIn(plan, origin), "closed: " + closed);
            assertTrue(plan.split("c").uses(1, closed < 0 ? 0 : 1));
        }
    }

    /** From half of it to four fifths at the near site was proposed; meanwhile it has more, or is nearer already. */
    @Test
    void nobodyLosesByAMoveOfYesterday() {
        final var problem = detour(9, 9);
        final var origin = new Plan(problem, Set.of());
        origin.keep(CHAIN, part(0.5, 0, 1, 0), false);
        final var move = new Proposals.Move("c", part(0.8, 0, 0, 0), 30, 1);
        for (final double now : new double[] {0.5, 0.8, 0.9, 1}) {
            final var plan = new Plan(problem, Set.of());
            plan.keep(CHAIN, part(now, 0, 1, 0), false);
            assertEquals(now > 0.8 ? List.of() : List.of("c"), new Proposals(List.of(move)).makeIn(plan, origin));
            assertEquals(Math.max(now, 0.8), plan.split("c").carried());
        }
        final var near = new Plan(problem, Set.of());
        near.keep(CHAIN, part(0.8, 0, 0, 0), false);
        final var away = new Proposals.Move("c", part(0.8, 0, 1, 0), 30, 1);
        assertEquals(List.of(), new Proposals(List.of(away)).makeIn(near, origin), "it would take longer");
    }

    /** Two nodes with a site each, and a VNF without load at both. */
    private static Problem detour(final long nearSite, final long nearDeployment) {
        final var links = List.of(new Link(0, 1, new Bandwidth(1_000), Bandwidth.ZERO, 1_000_000, 5, 1),
            new Link(1, 0, new Bandwidth(1_000), Bandwidth.ZERO, 1_000_000, 5, 1));
        return new Problem(new Network(List.of("a", "b"), links), List.of(new Site(0, nearSite), new Site(1, 9)),
            List.of(new Vnf("nat", 0, List.of(new Deployment(0, nearDeployment), new Deployment(1, 9)))), List.of());
    }

    private static Split split(final int... route) {
        return part(1, route);
    }

    private static Split part(final double fraction, final int... route) {
        final var split = new Split();
        split.setFraction(split.indexOf(route, route.length), fraction);
        return split;
    }

    /** A little more than fits. */
    @Test
    void whereNotAllFitsMovesCarryMoreAndNobodyLoses() {
        double more = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var label = "seed " + seed;
            final var problem = new Traffic(1_100_000).applyTo(loaded(RandomProblems.of(seed)));
            final var plan = Plan.of(problem, () -> false);
            final var carried = plan.all().stream().collect(Collectors.toMap(placed -> placed.chain().name(),
                placed -> placed.split().carried()));
            final var end = new Task.Moves(plan.copy(), 9).solve(problem, Limits.standard());
            final var moves = assertInstanceOf(End.Proposed.class, end, label).proposals().moves();
            final long before = plan.figures().carried().bitsPerSecond();
            moves.forEach(move -> assertTrue(plan.move(move.chain(), move.split()), label));
            carried.forEach((chain, share) ->
                assertTrue(plan.split(chain).carried() >= share - 2 * Plan.ROUNDING, label + ", " + chain));
            final double promised = moves.stream().mapToDouble(Proposals.Move::more).sum();
            assertEquals(before + promised, plan.figures().carried().bitsPerSecond(), 1e-5 * before + 2, label);
            assertTrue(plan.figures().fullest() <= 1_000_001, label);
            more += promised;
        }
        assertTrue(more > 0, "nothing more was ever carried");
    }

    /** There are moves, and not one is tried. */
    @Test
    void nobodyTriesMovesWhenTimeIsOver() {
        int moved = 0;
        for (long seed = 0; seed < 20; seed++) {
            final var problem = loaded(RandomProblems.of(seed));
            final var plan = Plan.of(problem, () -> false);
            assertEquals(List.of(), Proposals.of(plan, routed(problem), 9, () -> true).moves(), "seed " + seed);
            moved += Proposals.of(plan, routed(problem), 9, () -> false).moves().size();
        }
        assertTrue(moved > 0, "nothing was ever proposed");
    }

    /** The problem with nearly all of the traffic that fits. */
    private static Problem loaded(final Problem problem) {
        final double most = assertInstanceOf(Routed.class,
            ChainRouting.solve(Instance.of(problem), Objective.SCALE, Limits.standard())).value();
        return new Traffic((long) (most * 0.98e6)).applyTo(problem);
    }

    private static Routed routed(final Problem problem) {
        return assertInstanceOf(Routed.class,
            ChainRouting.solve(Instance.of(problem), Objective.LATENCY, Limits.standard()));
    }
}

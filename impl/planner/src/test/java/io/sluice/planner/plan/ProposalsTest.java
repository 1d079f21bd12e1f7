// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.RandomProblems;
import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Problem;
import io.sluice.planner.plan.Change.Traffic;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProposalsTest {
    private static final int PROBLEMS = 60;

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

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Split;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Moves that would bring a plan nearer to least latency. In this order each has room when the one before is done.
 *
 * @param moves so many as were allowed, or fewer
 * @param latency of the plan now, in bit/s times microseconds
 * @param least that any routes could have
 */
public record Proposals(List<Move> moves, double latency, double least) {
    public Proposals {
        moves = List.copyOf(moves);
    }

    /**
     * One chain's new routes.
     *
     * @param gain latency that goes away, in bit/s times microseconds
     */
    public record Move(String chain, Split split, double gain) { }

    /**
     * Solves SB-LP and chooses the moves of largest gain.
     *
     * @param maxMoves how many chains may move
     * @return empty if no routes for all traffic were found within the limits
     */
    public static Optional<Proposals> of(final Plan plan, final int maxMoves, final Limits limits) {
        final var problem = plan.problem();
        if (!(ChainRouting.solve(Instance.of(problem), Objective.LATENCY, limits) instanceof Routed best)) {
            return Optional.empty();
        }
        final var candidates = new ArrayList<Move>();
        for (int chain = 0; chain < problem.chains().size(); chain++) {
            final var name = problem.chains().get(chain).name();
            final double gain = plan.latency(name) - plan.latency(name, best.splits().get(chain));
            if (gain > 0) {
                candidates.add(new Move(name, best.splits().get(chain), gain));
            }
        }
        candidates.sort(Comparator.comparingDouble(Move::gain).reversed());
        return Optional.of(new Proposals(feasible(plan, candidates, maxMoves, limits.isStopped()),
            plan.figures().latency(), best.bound()));
    }

    /** Tries them on a copy, again and again: a move that has no room yet may have it after others. */
    private static List<Move> feasible(final Plan plan, final List<Move> candidates, final int maxMoves,
            final BooleanSupplier isStopped) {
        final var trial = plan.copy();
        final var moves = new ArrayList<Move>();
        int before = -1;
        while (before < moves.size()) {
            before = moves.size();
            for (final var each = candidates.iterator(); each.hasNext() && moves.size() < maxMoves;) {
                final var move = each.next();
                if (isStopped.getAsBoolean()) {
                    return moves;
                }
                if (trial.move(move.chain(), move.split())) {
                    moves.add(move);
                    each.remove();
                }
            }
        }
        return moves;
    }
}

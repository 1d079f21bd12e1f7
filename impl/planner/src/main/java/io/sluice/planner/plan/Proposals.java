// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.Split;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Moves that would bring a plan nearer to all traffic carried with least latency. In this order each has room when the
 * one before is done.
 *
 * @param moves so many as were allowed, or fewer
 */
public record Proposals(List<Move> moves) {
    public Proposals {
        moves = List.copyOf(moves);
    }

    /**
     * One chain's new routes.
     *
     * @param more traffic that is carried in addition, in bit/s at the largest stage, both directions
     * @param gain latency that goes away, in bit/s times microseconds; less than 0 if carrying more costs that
     */
    public record Move(String chain, Split split, double more, double gain) {
        boolean isWorthwhile() {
            return more > 0 || more == 0 && gain > 0;
        }
    }

    /**
     * Chooses the moves that bring most: first those that carry more, then those that save latency.
     *
     * @param best routes for all of the plan's chains: of least latency, or where not all traffic fits those that
     *     carry most; no chain gives up what it has
     * @param maxMoves how many chains may move
     */
    public static Proposals of(final Plan plan, final Routed best, final int maxMoves,
            final BooleanSupplier isStopped) {
        final var all = List.copyOf(plan.all());
        final var candidates = new ArrayList<Move>();
        for (int chain = 0; chain < all.size(); chain++) {
            final var move = move(plan, all.get(chain), best.splits().get(chain).routed());
            if (move.isWorthwhile()) {
                candidates.add(move);
            }
        }
        candidates.sort(Comparator.comparingDouble(Move::more).thenComparingDouble(Move::gain).reversed());
        return new Proposals(feasible(plan, candidates, maxMoves, isStopped));
    }

    /**
     * Makes the moves in a plan, in their order; where the network's numbers mean something else now, none.
     *
     * @param origin the plan for which they were proposed
     * @return the chains that moved: those that ask for the same routes still, have room there, and gain by it now,
     *     though they may have moved or grown since
     */
    public List<String> makeIn(final Plan plan, final Plan origin) {
        if (!origin.problem().isLike(plan.problem())) {
            return List.of();
        }
        return moves.stream().filter(move -> plan.find(move.chain()).flatMap(now -> origin.find(move.chain())
                .filter(then -> then.chain().servesAs(now.chain()) && move(plan, now, move.split()).isWorthwhile()))
                .isPresent() && plan.move(move.chain(), move.split())).map(Move::chain).toList();
    }

    private static Move move(final Plan plan, final Placed placed, final Split split) {
        final var name = placed.chain().name();
        final double more = split.carried() - placed.split().carried();
        return new Move(name, split, Math.abs(more) <= Plan.ROUNDING ? 0 : more * placed.layered().demand(),
            plan.latency(name) - plan.latency(name, split));
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

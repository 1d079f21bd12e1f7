// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.multipath.placement.FairShares.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Servers and paths of all pieces of a demand together: the choice under which the smallest max-min rate of all flows
 * is largest, then the second smallest and so on, and of equal ones the one of least cost. Each piece takes its best
 * response in turn; then pieces go on moving to something better, one at a time, until none can. That ends in a local
 * optimum, so a second start from another choice may be worth it.
 */
final class JointPlacement {
    /** So many options of a piece are evaluated to the end, the best by estimate. */
    private static final int SHORTLIST = 16;
    private static final int ROUNDS = 4;
    /** Rates that differ by less are equal: a hundredth, on a logarithmic scale. */
    private static final double STEP = Math.log(1.01);

    private final FairShares shares;
    private final Optional<Bandwidth> limit;
    private final List<List<Option>> options;
    private final ServerRoom room;
    private final Option[] chosen;
    private final String[] runnersUp;
    private final int placedBefore;

    /** How good a choice is; smaller is worse. */
    private record Score(long[] levels, long cost) implements Comparable<Score> {
        @Override
        public int compareTo(final Score other) {
            final int byLevels = Arrays.compare(levels, other.levels);
            return byLevels != 0 ? byLevels : Long.compare(other.cost, cost);
        }
    }

    /**
     * Begins with the flows that {@code shares} has.
     *
     * @param options of each piece, at least one for each of its candidates
     * @param room which has a place for all pieces
     */
    JointPlacement(final FairShares shares, final List<List<Option>> options, final ServerRoom room,
            final Optional<Bandwidth> limit) {
        this.shares = shares;
        this.limit = limit;
        this.options = options;
        this.room = room;
        placedBefore = shares.size();
        chosen = new Option[options.size()];
        runnersUp = new String[options.size()];
    }

    /** Chooses one option a piece. */
    void choose() {
        for (int piece = 0; piece < chosen.length; piece++) {
            improve(piece);
        }
        if (chosen.length > 1) {
            improveAll();
        }
    }

    /** Chooses one option a piece, no worse than {@code start}, of which each option has room. */
    void improve(final List<Option> start) {
        for (int piece = 0; piece < chosen.length; piece++) {
            chosen[piece] = start.get(piece);
            room.take(piece, chosen[piece].candidate());
        }
        reinsert();
        improveAll();
    }

    /** True if all flows together get more by this choice than by the other. */
    boolean isBetterThan(final JointPlacement other) {
        return Arrays.compare(levels(shares), levels(other.shares)) > 0;
    }

    private void improveAll() {
        boolean better = true;
        for (int round = 0; better && round < ROUNDS; round++) {
            better = false;
            for (int piece = 0; piece < chosen.length; piece++) {
                final var before = chosen[piece];
                improve(piece);
                better |= !before.equals(chosen[piece]);
            }
        }
    }

    /** The option of each piece. */
    List<Option> chosen() {
        return List.of(chosen);
    }

    /** What was second best when the piece was last looked at. */
    Optional<String> runnerUp(final int piece) {
        return Optional.ofNullable(runnersUp[piece]);
    }

    /** Rates under the choice, of the demand's pieces. */
    List<Share> rates() {
        final var all = shares.fill();
        return all.subList(placedBefore, all.size());
    }

    /** Gives a piece the best option, all others staying. */
    private void improve(final int piece) {
        final var standing = chosen[piece];
        if (standing != null) {
            shares.remove(placedBefore + positionOf(piece));
            chosen[piece] = null;
            room.free(piece);
        }
        Option best = null;
        Score bestScore = null;
        Option second = null;
        Score secondScore = null;
        for (var option : shortlist(piece, standing)) {
            final var score = score(option);
            if (bestScore == null || score.compareTo(bestScore) > 0) {
                second = best;
                secondScore = bestScore;
                best = option;
                bestScore = score;
            } else if (secondScore == null || score.compareTo(secondScore) > 0) {
                second = option;
                secondScore = score;
            }
        }
        chosen[piece] = best;
        room.take(piece, best.candidate());
        runnersUp[piece] = second == null ? null : second.toString();
        reinsert();
    }

    /** Keeps the demand's flows in the order of its pieces. */
    private void reinsert() {
        while (shares.size() > placedBefore) {
            shares.remove(shares.size() - 1);
        }
        for (var option : chosen) {
            if (option != null) {
                shares.add(option.forward(), option.backward(), limit);
            }
        }
    }

    private int positionOf(final int piece) {
        return (int) Arrays.stream(chosen, 0, piece).filter(option -> option != null).count();
    }

    private List<Option> shortlist(final int piece, final Option standing) {
        final var candidates = new HashSet<>(room.open(piece));
        final var list = new ArrayList<>(options.get(piece).stream()
            .filter(option -> candidates.contains(option.candidate()))
            .sorted(Comparator.comparingLong((Option option) -> -level(shares.estimate(option.forward())))
                .thenComparingLong(this::cost))
            .limit(SHORTLIST).toList());
        if (standing != null && !list.contains(standing)) {
            list.addFirst(standing);
        }
        return list;
    }

    private Score score(final Option option) {
        final long cost = cost(option);
        shares.add(option.forward(), option.backward(), limit);
        final long[] levels = levels(shares);
        shares.remove(shares.size() - 1);
        return new Score(levels, cost);
    }

    /** The rates of all flows, the smallest first, in steps of a hundredth. */
    static long[] levels(final FairShares shares) {
        return shares.fill().stream().mapToLong(share -> level(share.rate())).sorted().toArray();
    }

    private long cost(final Option option) {
        return shares.cost(option.forward()) + shares.cost(option.backward())
            + Math.round(LinkCost.IDLE * (option.candidate().load() + room.used(option.candidate().server())));
    }

    private static long level(final double rate) {
        return Double.isInfinite(rate) ? Long.MAX_VALUE : Math.round(Math.log(Math.max(1, rate)) / STEP);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.Path;
import io.sluice.multipath.placement.FairShares.Channel;
import io.sluice.multipath.placement.FairShares.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Servers and paths of all pieces of a demand together: the choice under which the smallest max-min rate of all flows
 * is largest, then the second smallest and so on, and of equal ones the one of least cost. Each piece takes its best
 * response in turn; then pieces go on moving to something better, one at a time, until none can. That ends in a local
 * optimum, so a second start from another choice may be worth it.
 */
final class JointPlacement {
    /** So many options of a piece are evaluated to the end, the best by estimate. */
    private static final int SHORTLIST = Weighing.KEPT;
    private static final int ROUNDS = 4;

    private final FairShares shares;
    private final Optional<Bandwidth> limit;
    private final Map<Path, Channel> channels = new IdentityHashMap<>();
    private final List<List<Contender>> contenders;
    private final ServerRoom room;
    private final Contender[] chosen;
    private final Looked[] looked;
    private int moves;

    /** An option and the links that it crosses. */
    private record Contender(Option option, Channel channel) { }

    /** How good a contender is, all others staying; smaller is worse. The rates are those of all flows. */
    private record Score(Contender contender, SortedRates rates, long cost, Share share) implements Comparable<Score> {
        @Override
        public int compareTo(final Score other) {
            final int byRates = SortedRates.WORST_FIRST.compare(rates, other.rates);
            return byRates != 0 ? byRates : Long.compare(other.cost, cost);
        }

        Alternative alternative() {
            return Alternative.of(contender.option, OptionalLong.of(cost), Optional.of(Placer.rate(share.rate())));
        }
    }

    /**
     * What was found when a piece was last looked at: how many contenders were open, and the best, in order; and how
     * often any piece had moved by then.
     */
    private record Looked(int open, List<Score> scores, int moves) { }

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
        this.room = room;
        contenders = options.stream().map(ofPiece -> ofPiece.stream().map(this::contender).toList()).toList();
        chosen = new Contender[contenders.size()];
        looked = new Looked[contenders.size()];
    }

    /** Chooses one option a piece, no worse than {@code start}, of which each option has room. */
    List<Choice> choose(final List<Option> start) {
        if (contenders.size() == 1) {
            stand(start);
            improve(0);
            return choices();
        }
        final var fresh = choose();
        final var rates = rates();
        for (int piece = 0; piece < chosen.length; piece++) {
            leave(piece);
        }
        stand(start);
        improveAll();
        return SortedRates.WORST_FIRST.compare(rates(), rates) > 0 ? choices() : fresh;
    }

    /** Chooses one option a piece. */
    List<Choice> choose() {
        for (int piece = 0; piece < chosen.length; piece++) {
            improve(piece);
        }
        if (chosen.length > 1) {
            improveAll();
        }
        return choices();
    }

    private void stand(final List<Option> start) {
        for (int piece = 0; piece < chosen.length; piece++) {
            take(piece, contender(start.get(piece)));
            moves++;
        }
    }

    private SortedRates rates() {
        return shares.whole(List.of()).rates().sorted();
    }

    private void take(final int piece, final Contender contender) {
        chosen[piece] = contender;
        shares.add(contender.channel);
        room.take(piece, contender.option.candidate());
    }

    private void leave(final int piece) {
        shares.remove(chosen[piece].channel);
        room.free(piece);
        chosen[piece] = null;
    }

    private void improveAll() {
        boolean better = true;
        for (int round = 0; better && round < ROUNDS; round++) {
            better = false;
            for (int piece = 0; piece < chosen.length; piece++) {
                final var before = chosen[piece];
                improve(piece);
                better |= before != chosen[piece];
            }
        }
    }

    private Contender contender(final Option option) {
        return new Contender(option, channels.computeIfAbsent(option.forward(), path ->
            shares.channel(path, option.backward(), limit)));
    }

    /** Gives a piece the best option, all others staying; of equal ones the one that it has. */
    private void improve(final int piece) {
        if (looked[piece] != null && looked[piece].moves == moves) {
            return;
        }
        final var standing = Optional.ofNullable(chosen[piece]);
        standing.ifPresent(contender -> leave(piece));
        final var candidates = new HashSet<>(room.open(piece));
        final var open = contenders.get(piece).stream()
            .filter(contender -> candidates.contains(contender.option.candidate())).toList();
        final var scores = scores(Stream.concat(standing.stream(), shortlist(open).stream()
            .filter(contender -> standing.isEmpty() || !contender.option.equals(standing.orElseThrow().option)))
            .toList());
        final var best = scores.getFirst().contender;
        if (standing.isEmpty() || standing.orElseThrow() != best) {
            moves++;
        }
        looked[piece] = new Looked(open.size(), scores, moves);
        take(piece, best);
    }

    /** The best by estimate, then by cost. */
    private List<Contender> shortlist(final List<Contender> open) {
        record Estimate(Contender contender, long level, long cost) { }
        return open.stream().map(contender -> new Estimate(contender,
                SortedRates.level(shares.estimate(contender.channel)), cost(contender)))
            .sorted(Comparator.comparingLong(Estimate::level).reversed().thenComparingLong(Estimate::cost))
            .limit(SHORTLIST).map(Estimate::contender).toList();
    }

    /** The best first; of equal ones, the first. */
    private List<Score> scores(final List<Contender> listed) {
        final var all = shares.whole(listed.stream().map(Contender::channel).toList());
        return listed.stream().map(contender -> {
            final var rates = all.ratesWith(contender.channel);
            return new Score(contender, rates.sorted(), cost(contender), rates.share(contender.channel));
        }).sorted(Comparator.reverseOrder()).toList();
    }

    private long cost(final Contender contender) {
        final var candidate = contender.option.candidate();
        return shares.cost(contender.channel)
            + Math.round(LinkCost.IDLE * (candidate.busy() + room.used(candidate.server())));
    }

    private List<Choice> choices() {
        final var choices = new ArrayList<Choice>();
        for (int piece = 0; piece < chosen.length; piece++) {
            final var scores = looked[piece].scores;
            choices.add(new Choice(chosen[piece].option, new Weighing(Math.max(looked[piece].open, scores.size()),
                scores.stream().map(Score::alternative).toList(), true, because(scores))));
        }
        return choices;
    }

    private static String because(final List<Score> scores) {
        if (scores.size() == 1) {
            return "there was no other choice";
        }
        final var best = scores.getFirst();
        final var second = scores.get(1);
        final var difference = best.rates.difference(second.rates);
        if (difference.isPresent()) {
            return "the worst-off flow that it matters to gets " + text(difference.orElseThrow().here())
                + ", with the runner-up " + text(difference.orElseThrow().there());
        }
        return best.cost == second.cost ? "the runner-up is as good; one of the two had to be taken"
            : "all flows get the same with the runner-up, which costs " + second.cost + " instead of " + best.cost;
    }

    private static String text(final double rate) {
        return Double.isInfinite(rate) ? "as much as it wants" : Placer.rate(rate).toString();
    }
}

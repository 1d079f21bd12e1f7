// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.SwitchId;
import io.sluice.multipath.placement.Candidate.Load;
import io.sluice.multipath.placement.FairShares.Channel;
import io.sluice.multipath.placement.FairShares.Share;
import io.sluice.multipath.placement.SinglePath.Ends;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Weighs for each placed flow the other paths to its server. The rates of all flows are computed once, and again after
 * a move; a flow that gets as much as it wants stays without more ado.
 */
final class PathReview {
    private static final double PPM = 1e6;

    private final PlacerSettings settings;
    private final Function<Ends, List<Option>> options;
    private final FairShares shares;
    private final Map<Long, Channel> channels = new HashMap<>();
    private Map<Channel, Share> filled;

    /** Begins with {@code world}; {@code options} are the paths between two edge switches. */
    PathReview(final World world, final PlacerSettings settings, final Function<Ends, List<Option>> options) {
        this.settings = settings;
        this.options = options;
        shares = world.shares();
        world.flows().forEach(flow -> channels.put(flow.id(), shares.channel(flow)));
        filled = shares.fill();
    }

    /** A server without name or load: a place to find paths to. */
    static Candidate anyAt(final SwitchId edge) {
        return new Candidate("", null, 0, edge, Load.NONE, Candidate.UNBOUNDED);
    }

    /** The moves that are worth it, the worst-off flow first. */
    List<Move> moves(final List<Reviewable> flows) {
        final var worstOffFirst = flows.stream().filter(flow -> flow.strategy() == Strategy.JOINT
            && flow.sinceMoveNs() >= settings.holdNs() && channels.containsKey(flow.flow().id())
            && !flow.clientEdge().equals(flow.serverEdge()))
            .sorted(Comparator.comparingDouble(flow -> rate(flow.flow()))).toList();
        final var moves = new ArrayList<Move>();
        worstOffFirst.forEach(flow -> review(flow).ifPresent(moves::add));
        return moves;
    }

    private Optional<Move> review(final Reviewable reviewable) {
        final var flow = reviewable.flow();
        final double before = rate(flow);
        final boolean content = flow.limit().filter(limit -> before >= limit.bitsPerSecond()).isPresent();
        final var ways = content ? List.<Option>of() : options.apply(Ends.of(reviewable));
        if (ways.isEmpty()) {
            return Optional.empty();
        }
        final var here = channels.get(flow.id());
        shares.remove(here);
        final var best = new JointPlacement(shares, List.of(ways), new ServerRoom(List.of(new Piece(1,
            List.of(ways.getFirst().candidate())))), flow.limit()).choose().getFirst();
        final var there = shares.channel(best.option().forward(), best.option().backward(), flow.limit());
        final var share = shares.fill(List.of(there)).get(there);
        if (gains(before, share.rate())) {
            channels.put(flow.id(), there);
            filled = shares.fill();
            return Optional.of(new Move(flow.id(), best.option().forward(), best.option().backward(),
                Placer.rate(before), Placer.rate(share.rate()), share.bindingLink().map(shares::bottleneck),
                best.weighing()));
        }
        shares.remove(there);
        shares.add(here);
        return Optional.empty();
    }

    private double rate(final FlowView flow) {
        return filled.get(channels.get(flow.id())).rate();
    }

    private boolean gains(final double before, final double after) {
        return after > before && after * PPM >= before * (PPM + settings.leastGainPpm());
    }
}

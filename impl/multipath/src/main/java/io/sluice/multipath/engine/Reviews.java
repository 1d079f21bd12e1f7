// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.FlowState.Reason;
import io.sluice.multipath.placement.Assignment;
import io.sluice.multipath.placement.Candidate;
import io.sluice.multipath.placement.Candidate.Load;
import io.sluice.multipath.placement.Demand;
import io.sluice.multipath.placement.Move;
import io.sluice.multipath.placement.Piece;
import io.sluice.multipath.placement.Reviewable;
import io.sluice.multipath.placement.Strategy;
import io.sluice.multipath.placement.Weighing;
import java.util.List;
import java.util.Optional;

/** Placed flows in the words of the placement, and back. */
final class Reviews {
    private Reviews() {
        // functions only
    }

    static Reviewable reviewable(final FlowState flow, final boolean regardless, final long nowNs) {
        return new Reviewable(FlowBook.view(flow), flow.record().clientSide(), flow.record().serverSide(),
            regardless ? Long.MAX_VALUE : nowNs - flow.movedNs(), strategy(flow));
    }

    /** The demand of a placed flow for another path to the server that it has. */
    static Demand demand(final FlowState flow, final MultipathConfig config) {
        return demand(flow, flow.record().clientSide(), flow.record().serverSide(), config);
    }

    /** The same between two other switches. */
    static Demand demand(final FlowState flow, final SwitchId clientEdge, final SwitchId serverEdge,
            final MultipathConfig config) {
        final var record = flow.record();
        final var purpose = record.purpose();
        final int piece = purpose.piece().orElse(1);
        final int paths = purpose.service().map(config.services()::get).map(MultipathConfig.Service::pieces).orElse(1);
        return new Demand(record.key().client(), clientEdge,
            List.of(new Piece(piece, List.of(candidate(flow, serverEdge)))), paths, flow.wanted(), strategy(flow),
            record.key().hashCode());
    }

    /** A move that a review proposes, as the assignment that it comes to. */
    static Assignment assignment(final Move move, final FlowState flow) {
        final int piece = flow.record().purpose().piece().orElse(1);
        final var here = candidate(flow);
        final var weighing = move.weighing();
        return new Assignment(piece, List.of(piece), here, move.forward(), move.backward(), move.after(),
            move.bottleneck(), new Weighing(weighing.considered(),
                weighing.alternatives().stream().map(alternative -> alternative.at(here)).toList(), weighing.ranked(),
                "it would get " + move.before() + " where it was; " + weighing.because()));
    }

    /** A connection's place along the paths of its slot, which a switch has refused. */
    static Assignment along(final FlowState slot) {
        final int piece = slot.record().purpose().piece().orElse(1);
        return new Assignment(piece, List.of(piece), candidate(slot), slot.forward(), slot.backward(), Bandwidth.ZERO,
            Optional.empty(), Weighing.told(1, "its slot is not in place: " + slot.pending().orElse("")));
    }

    static Reason reason(final Assignment assignment) {
        return new Reason(Optional.of(assignment));
    }

    static Candidate candidate(final FlowState flow) {
        return candidate(flow, flow.record().serverSide());
    }

    private static Candidate candidate(final FlowState flow, final SwitchId edge) {
        final var record = flow.record();
        return new Candidate(record.purpose().server().orElse(record.server().getHostAddress()), record.server(),
            record.key().targetPort().orElse(0), edge, Load.NONE, Candidate.UNBOUNDED);
    }

    static Strategy strategy(final FlowState flow) {
        return Strategy.valueOf(flow.record().purpose().strategy());
    }
}

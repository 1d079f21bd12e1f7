// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.planner.lp.CapacityAnswer;
import io.sluice.planner.placement.PlacementAnswer;
import io.sluice.planner.placement.PlacementAnswer.Hint;
import io.sluice.planner.placement.PlacementAnswer.Missed;
import io.sluice.planner.placement.PlacementAnswer.Overloaded;
import io.sluice.planner.placement.PlacementAnswer.Placed;
import io.sluice.planner.plan.Proposals.Move;
import io.sluice.planner.run.Status;
import io.sluice.planner.run.Status.End.Expanded;
import io.sluice.planner.run.Status.End.Hinted;
import io.sluice.planner.run.Status.End.Proposed;
import java.util.stream.IntStream;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CycleRate;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Outcome;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.RunBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.run.AdditionBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.run.HintBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.run.MoveBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint64;

/** What runs find besides routes, in the words of {@code sluice-planner}. */
final class FindingCodec {
    private FindingCodec() {
        // functions only
    }

    static void moves(final RunBuilder run, final Proposed proposed) {
        run.setOutcome(Outcome.Found)
            .setMove(proposed.proposals().moves().stream().map(move -> move(proposed, move)).toList());
    }

    static void additions(final RunBuilder run, final Status status, final Expanded end) {
        switch (end.answer()) {
            case CapacityAnswer.Expanded expanded -> {
                RunCodec.values(run, status, expanded.value(), expanded.bound(), expanded.gap());
                final var added = expanded.additions().ofSite();
                run.setOutcome(Outcome.Found).setAddition(IntStream.range(0, added.size())
                    .filter(site -> added.get(site) > 0).mapToObj(site -> new AdditionBuilder()
                        .setSite(new ObjectName(end.problem().siteName(site)))
                        .setCapacity(cycles(added.get(site))).build()).collect(BindingMap.toMap()));
            }
            case CapacityAnswer.Unroutable unroutable -> run.setOutcome(Outcome.Unroutable)
                .setReason(unroutable.reason());
        }
    }

    static void hints(final RunBuilder run, final Status status, final Hinted end) {
        switch (end.answer()) {
            case Placed placed -> {
                RunCodec.values(run, status, placed.value(), placed.bound(), placed.gap());
                run.setOutcome(Outcome.Found).setHint(placed.hints().stream().map(hint -> hint(end, hint))
                    .collect(BindingMap.toMap()));
            }
            case Overloaded overloaded -> RunCodec.overloaded(run, overloaded.scale(), overloaded.binding());
            case PlacementAnswer.Unroutable unroutable -> run.setOutcome(Outcome.Unroutable)
                .setReason(unroutable.reason());
            case Missed missed -> run.setOutcome(Outcome.Stopped)
                .setReason("no new sites with which all traffic fits were found");
        }
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.run.Move move(
            final Proposed proposed, final Move move) {
        return new MoveBuilder().setChain(new ObjectName(move.chain()))
            .setMore(WhatIfCodec.rate(Math.round(move.more()))).setGain(RunCodec.latency(move.gain()))
            .setRoute(RunCodec.routes(proposed.plan().routes(move.chain(), move.split()))).build();
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.run.Hint hint(final Hinted end,
            final Hint hint) {
        return new HintBuilder().setVnf(new ObjectName(end.problem().vnfs().get(hint.vnf()).name()))
            .setSite(new ObjectName(end.problem().siteName(hint.site())))
            .setCapacity(cycles(hint.cyclesPerSecond())).build();
    }

    private static CycleRate cycles(final long cyclesPerSecond) {
        return new CycleRate(Uint64.valueOf(cyclesPerSecond));
    }
}

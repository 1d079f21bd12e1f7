// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.multipath.engine.MultipathEngine.Environment;
import io.sluice.multipath.engine.MultipathEvents.MoveCause;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import io.sluice.multipath.placement.Assignment;
import io.sluice.multipath.steering.FlowRequest;
import io.sluice.multipath.steering.Placement;
import io.sluice.multipath.steering.Steering;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Installs flows that were placed, moves and withdraws them, and tells of each. */
final class PlacedFlows {
    private static final String INSTALLING = "being installed";

    private final Environment environment;
    private final FlowBook book;
    private final Steering steering;
    private final Installer installer;
    private final Sampler sampler;

    PlacedFlows(final Environment environment, final FlowBook book, final Steering steering,
            final Installer installer, final Sampler sampler) {
        this.environment = environment;
        this.book = book;
        this.steering = steering;
        this.installer = installer;
        this.sampler = sampler;
    }

    /** Installs a flow that steering took; completes with it, or with nothing if it was withdrawn meanwhile. */
    CompletionStage<Optional<FlowState>> install(final Wanted wanted, final Placement.Placed placed) {
        final var assignment = wanted.assignment();
        final long nowNs = environment.nowNs().getAsLong();
        final var before = book.flow(placed.record().id());
        final var flow = new FlowState(placed.record(), assignment.forward(), assignment.backward(),
            wanted.asked().demand().bandwidth(), Reviews.reason(assignment), environment.clock().instant(), nowNs,
            before.map(old -> old.moves() + 1).orElse(0), before.map(FlowState::usage).orElse(Usage.none(nowNs)),
            Optional.of(INSTALLING));
        book.put(flow);
        sampler.sampleSoon();
        return installer.carryOut(placed.changes()).thenApplyAsync(pending -> {
            final var now = settled(flow.record().id(), pending);
            if (before.isEmpty()) {
                now.ifPresent(environment.events()::placed);
            } else if (!before.orElseThrow().record().equals(placed.record())) {
                now.ifPresent(moved -> environment.events().moved(moved, MoveCause.BETTER_PATH));
            }
            return now;
        }, environment.loop());
    }

    /** Declares once more what is not in place, or not kept: a switch that was away may be back. */
    void retry() {
        book.all().stream().filter(flow -> flow.pending().filter(reason -> !reason.equals(INSTALLING)).isPresent())
            .map(flow -> flow.record().id()).forEach(id -> installer.carryOut(steering.again(id))
                .thenAcceptAsync(pending -> settled(id, pending), environment.loop()));
    }

    /** Takes a flow to another path, make before break; it stays where it is, and this says no, if that is refused. */
    boolean move(final FlowState flow, final Assignment to, final MoveCause cause) {
        final var record = flow.record();
        return switch (steering.place(new FlowRequest(record.id(), record.key(), record.server(), to.forward(),
                to.backward(), record.purpose()))) {
            case Placement.Refused refusal -> {
                book.put(flow.withPending(Optional.of(refusal.reason())));
                yield false;
            }
            case Placement.Placed placed -> {
                book.put(flow.moved(placed.record(), to.forward(), to.backward(), Reviews.reason(to),
                    environment.clock().instant(), environment.nowNs().getAsLong()));
                installer.carryOut(placed.changes()).thenAcceptAsync(pending -> settled(record.id(), pending)
                    .ifPresent(moved -> environment.events().moved(moved, cause)), environment.loop());
                yield true;
            }
        };
    }

    /** Withdraws a flow and frees its path. */
    void withdraw(final FlowState flow, final WithdrawCause cause) {
        book.remove(flow.record().id());
        installer.carryOut(steering.withdraw(flow.record().id()));
        environment.events().withdrawn(flow, cause);
    }

    private Optional<FlowState> settled(final long id, final Optional<String> pending) {
        final var flow = book.flow(id).map(found -> found.withPending(pending));
        flow.ifPresent(book::put);
        return flow;
    }
}

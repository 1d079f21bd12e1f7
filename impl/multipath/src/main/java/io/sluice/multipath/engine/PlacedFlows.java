// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.multipath.engine.MultipathEngine.Environment;
import io.sluice.multipath.engine.MultipathEvents.MoveCause;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import io.sluice.multipath.placement.Assignment;
import io.sluice.multipath.steering.FlowRequest;
import io.sluice.multipath.steering.Placement;
import io.sluice.multipath.steering.Steering;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

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

    /** Places a new flow, and installs it; nothing if steering refuses it, which {@code refused} is told why. */
    Optional<CompletionStage<?>> add(final FlowRequest request, final Assignment assignment,
            final Consumer<String> refused) {
        return switch (steering.place(request)) {
            case Placement.Refused refusal -> {
                refused.accept(refusal.reason());
                yield Optional.empty();
            }
            case Placement.Placed placed -> Optional.of(install(assignment, Optional.empty(), placed));
        };
    }

    /** Installs a flow that steering took; completes with it, or with nothing if it was withdrawn meanwhile. */
    CompletionStage<Optional<FlowState>> install(final Wanted wanted, final Placement.Placed placed) {
        return install(wanted.assignment(), wanted.asked().demand().bandwidth(), placed);
    }

    private CompletionStage<Optional<FlowState>> install(final Assignment assignment,
            final Optional<Bandwidth> bandwidth, final Placement.Placed placed) {
        final long nowNs = environment.nowNs().getAsLong();
        final var before = book.flow(placed.record().id());
        final var flow = new FlowState(placed.record(), assignment.forward(), assignment.backward(),
            bandwidth, Reviews.reason(assignment), environment.clock().instant(), nowNs,
            before.map(old -> old.moves() + 1).orElse(0), before.map(FlowState::usage).orElse(Usage.none(nowNs)),
            Optional.of(INSTALLING));
        book.put(flow);
        sampler.sampleSoon();
        return installer.carryOut(placed.changes()).thenApplyAsync(pending -> {
            final var now = settled(flow.record().id(), pending);
            if (before.isEmpty()) {
                now.ifPresent(environment.events()::placed);
            } else if (!before.orElseThrow().record().equals(placed.record())) {
                now.ifPresent(moved -> environment.events().moved(moved, MoveCause.ASKED_ANEW));
            }
            return now;
        }, environment.loop());
    }

    /** Declares once more what is not in place, or not kept: a switch that was away may be back. */
    void retry() {
        book.all().stream().filter(PlacedFlows::isRefused)
            .map(flow -> flow.record().id()).forEach(id -> installer.carryOut(steering.again(id))
                .thenAcceptAsync(pending -> settled(id, pending), environment.loop()));
    }

    /** Takes a flow to another path, make before break; it stays where it is, and this says no, if that is refused. */
    boolean move(final FlowState flow, final Assignment to, final MoveCause cause) {
        final var record = flow.record();
        return replace(flow, new FlowRequest(record.id(), record.key(), record.server(), record.replyTo(),
            to.forward(), to.backward(), record.purpose()), to, cause);
    }

    /** The same to another server, or with other clients, as {@code request} says. */
    boolean replace(final FlowState flow, final FlowRequest request, final Assignment to, final MoveCause cause) {
        return switch (steering.place(request)) {
            case Placement.Refused refusal -> {
                book.put(flow.withPending(Optional.of(refusal.reason())));
                yield false;
            }
            case Placement.Placed placed -> {
                book.put(flow.moved(placed.record(), to.forward(), to.backward(), Reviews.reason(to),
                    environment.clock().instant(), environment.nowNs().getAsLong()));
                installer.carryOut(placed.changes()).thenAcceptAsync(pending -> settled(request.id(), pending)
                    .ifPresent(moved -> environment.events().moved(moved, cause)), environment.loop());
                yield true;
            }
        };
    }

    /** Declares a flow with other clients, over the paths that it has; says no if that is refused. */
    boolean redeclare(final FlowState flow, final FlowRequest request) {
        return switch (steering.place(request)) {
            case Placement.Refused refusal -> false;
            case Placement.Placed placed -> {
                book.put(flow.withRecord(placed.record()));
                installer.carryOut(placed.changes()).thenAcceptAsync(pending -> settled(request.id(), pending),
                    environment.loop());
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

    /** True if something keeps a flow from being in place, other than that it is on its way. */
    static boolean isRefused(final FlowState flow) {
        return flow.pending().filter(reason -> !reason.equals(INSTALLING)).isPresent();
    }

    private Optional<FlowState> settled(final long id, final Optional<String> pending) {
        final var flow = book.flow(id).map(found -> found.withPending(pending));
        flow.ifPresent(book::put);
        return flow;
    }
}

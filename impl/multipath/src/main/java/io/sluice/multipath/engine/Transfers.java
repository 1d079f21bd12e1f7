// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.Failures;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.MultipathEngine.Environment;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import io.sluice.multipath.engine.Refusal.Why;
import io.sluice.multipath.engine.Requests.Asked;
import io.sluice.multipath.placement.Decision;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.multipath.steering.FlowRequest;
import io.sluice.multipath.steering.Placement;
import io.sluice.multipath.steering.Steering;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Places the flows of a transfer, all or none, and keeps those that stand in the configuration placed. */
final class Transfers {
    private final Environment environment;
    private final FlowBook book;
    private final Decisions decisions;
    private final Steering steering;
    private final PlacedFlows flows;
    private final Refusals refusals;
    /** Why transfers that stand in the configuration lack flows, as it was told. */
    private final Map<String, String> told = new HashMap<>();
    /** Transfers that were requested and do not stand in the configuration yet. */
    private final Set<String> unwritten = new HashSet<>();
    /** Transfers of which pieces are on their way to other servers. */
    private final Set<String> leaving = new HashSet<>();

    /** Flows that make room for others, by name if they are all that a transfer has, and why they go then. */
    private record Yielding(List<FlowState> flows, Optional<String> transfer, WithdrawCause cause) { }

    Transfers(final Environment environment, final FlowBook book, final Decisions decisions, final Steering steering,
            final PlacedFlows flows, final Refusals refusals) {
        this.environment = environment;
        this.book = book;
        this.decisions = decisions;
        this.steering = steering;
        this.flows = flows;
        this.refusals = refusals;
    }

    /**
     * Follows the configuration, which was {@code before}: what is gone is released, what has changed placed anew.
     * Flows of an earlier run of the controller learn what was asked for.
     */
    void follow(final Map<String, Transfer> before) {
        final var now = decisions.config().transfers();
        unwritten.removeAll(now.keySet());
        book.all().stream().filter(flow -> flow.record().purpose().transfer()
            .filter(name -> !now.containsKey(name) && !unwritten.contains(name)).isPresent())
            .forEach(flow -> flows.withdraw(flow, flow.record().purpose().transfer().map(before::get)
                .filter(this::isIdle).map(idle -> WithdrawCause.IDLE).orElse(WithdrawCause.RELEASED)));
        now.values().stream().filter(transfer -> !before.containsKey(transfer.name())).forEach(transfer ->
            book.ofTransfer(transfer.name()).forEach(flow -> book.put(flow.withWanted(transfer.bandwidth()))));
        told.keySet().retainAll(now.keySet());
        now.values().stream().filter(transfer -> before.containsKey(transfer.name())
            && !before.get(transfer.name()).equals(transfer)).forEach(this::stand);
        placeMissing();
    }

    /** Places the transfers of the configuration of which not all pieces have flows. */
    void placeMissing() {
        decisions.config().transfers().values().stream()
            .filter(transfer -> book.ofTransfer(transfer.name()).size() < transfer.pieces().size())
            .forEach(this::stand);
    }

    /** Places the flows of a transfer, all or none; completes when they are in place. */
    CompletionStage<TransferAnswer> request(final Transfer transfer) {
        return request(transfer, new Yielding(book.ofTransfer(transfer.name()), Optional.of(transfer.name()),
            WithdrawCause.RELEASED));
    }

    /**
     * Takes pieces of a transfer off servers that they have to leave: to other servers, all or none. If these have no
     * room, the pieces are withdrawn. A transfer that is not written yet, or whose pieces are leaving, is left alone.
     */
    void leave(final String name, final List<FlowState> pieces) {
        final var transfer = decisions.config().transfers().get(name);
        if (transfer == null || !leaving.add(name)) {
            return;
        }
        final var numbers = pieces.stream().map(flow -> flow.record().purpose().piece().orElseThrow()).toList();
        request(transfer.of(numbers), new Yielding(pieces, Optional.empty(), WithdrawCause.SERVER_DRAINED))
            .whenCompleteAsync((answer, failure) -> {
                leaving.remove(name);
                if (!(answer instanceof TransferAnswer.Granted)) {
                    pieces.forEach(flow -> withdraw(flow.record().id(), WithdrawCause.SERVER_DRAINED));
                }
            }, environment.loop());
    }

    private CompletionStage<TransferAnswer> request(final Transfer transfer, final Yielding before) {
        final var snapshot = environment.fabric().snapshot();
        final var host = snapshot.host(transfer.client());
        if (host.isEmpty()) {
            return refused(transfer, new Why(Optional.empty(), "client " + transfer.client().getHostAddress()
                + " was never seen", Optional.of("let it send a packet first")));
        }
        return decisions.asked(transfer, host.orElseThrow().attachment().switchId(), snapshot, before.transfer())
            .map(asked -> place(transfer, asked, snapshot, before))
            .orElseGet(() -> refused(transfer, new Why(Optional.empty(), "there is no service " + transfer.service(),
                Optional.of("add it to the configuration"))));
    }

    /** Places the flows of a transfer and lets {@code keeping} write it down; releases it if that fails. */
    CompletionStage<TransferAnswer> request(final Transfer transfer, final Supplier<CompletionStage<Void>> keeping) {
        if (unwritten.contains(transfer.name())) {
            return CompletableFuture.completedStage(new TransferAnswer.Refused("a transfer " + transfer.name()
                + " is being written; release it first, or take another name"));
        }
        return request(transfer).thenComposeAsync(answer -> answer instanceof TransferAnswer.Refused
            ? CompletableFuture.completedStage(answer)
            : keeping.get().handleAsync((kept, failure) -> failure == null ? answer : unkept(transfer, failure),
                environment.loop()), environment.loop());
    }

    /** Withdraws the flows of a transfer; says whether there were any. */
    boolean release(final String transfer) {
        unwritten.remove(transfer);
        final var released = book.ofTransfer(transfer);
        released.forEach(flow -> flows.withdraw(flow, WithdrawCause.RELEASED));
        return !released.isEmpty();
    }

    /** The transfers of the configuration that have carried nothing for as long as they may. */
    List<String> idle() {
        return decisions.config().transfers().values().stream().filter(this::isIdle).map(Transfer::name).toList();
    }

    private boolean isIdle(final Transfer transfer) {
        final var carried = book.ofTransfer(transfer.name());
        if (transfer.idleMs().isEmpty() || carried.isEmpty()) {
            return false;
        }
        final long idleNs = TimeUnit.MILLISECONDS.toNanos(transfer.idleMs().getAsLong());
        final long activeNs = environment.nowNs().getAsLong() - idleNs;
        return carried.stream().allMatch(flow -> flow.usage().isIdleSince(activeNs));
    }

    /** Requests a transfer that stands in the configuration; a refusal is told once. */
    private void stand(final Transfer transfer) {
        request(transfer).thenAcceptAsync(answer -> {
            if (!(answer instanceof TransferAnswer.Refused(var reason))) {
                told.remove(transfer.name());
            } else if (!reason.equals(told.put(transfer.name(), reason))) {
                environment.events().refused(transfer, reason);
            }
        }, environment.loop());
    }

    private TransferAnswer unkept(final Transfer transfer, final Throwable failure) {
        release(transfer.name());
        return new TransferAnswer.Refused("transfer " + transfer.name() + " was released, since it can't be kept: "
            + Failures.reason(failure) + "; ask again when the datastore takes it");
    }

    private CompletionStage<TransferAnswer> refused(final Transfer transfer, final Why why) {
        refusals.refused(transfer, why);
        return CompletableFuture.completedStage(new TransferAnswer.Refused(why.reason()));
    }

    private CompletionStage<TransferAnswer> place(final Transfer transfer, final Asked asked,
            final FabricSnapshot snapshot, final Yielding before) {
        return switch (decisions.decide(book.without(before.flows(), snapshot), asked.demand())) {
            case Decision.Refused refusal -> refused(transfer, Why.of(asked, refusal));
            case Decision.Placed placed -> enter(transfer, placed.assignments().stream().map(assignment -> new Wanted(
                FlowKey.toPort(asked.service().orElseThrow().protocol(), transfer.client(),
                    assignment.candidate().address(), assignment.candidate().port()), assignment, asked,
                Optional.of(transfer))).toList(), before, asked);
        };
    }

    /** Admits all flows of a transfer before anything changes; what it had goes when they are in place. */
    private CompletionStage<TransferAnswer> enter(final Transfer transfer, final List<Wanted> wanted,
            final Yielding before, final Asked asked) {
        final var standing = before.flows().stream().collect(Collectors.toMap(flow -> flow.record().key(),
            flow -> flow.record().id()));
        final var requests = wanted.stream().map(one ->
            one.request(standing.computeIfAbsent(one.key(), added -> book.nextId()))).toList();
        final var refusal = steering.refusal(requests);
        if (refusal.isPresent()) {
            return refused(transfer, new Why(Optional.of(asked), refusal.orElseThrow(), Optional.empty()));
        }
        refusals.granted(transfer.name());
        if (!decisions.config().transfers().containsKey(transfer.name())) {
            unwritten.add(transfer.name());
        }
        final var entered = new ArrayList<CompletableFuture<Optional<FlowState>>>();
        for (int i = 0; i < requests.size(); i++) {
            if (steering.place(requests.get(i)) instanceof Placement.Placed placed) {
                entered.add(flows.install(wanted.get(i), placed).toCompletableFuture());
            }
        }
        final var ids = requests.stream().map(FlowRequest::id).collect(Collectors.toSet());
        return CompletableFuture.allOf(entered.toArray(CompletableFuture[]::new)).handleAsync((done, failure) -> {
            if (failure != null) {
                return undone(transfer, ids, Failures.reason(failure));
            }
            before.flows().stream().map(flow -> flow.record().id()).filter(id -> !ids.contains(id))
                .forEach(id -> withdraw(id, before.cause()));
            final var placed = entered.stream().flatMap(flow -> flow.join().stream()).toList();
            return placed.size() == transfer.pieces().size() ? new TransferAnswer.Granted(placed)
                : undone(transfer, ids, "a path broke meanwhile");
        }, environment.loop());
    }

    /** All or none: of a transfer that was requested no flow stays; one of the configuration is tried again. */
    private TransferAnswer undone(final Transfer transfer, final Set<Long> ids, final String reason) {
        final boolean stands = ids.stream().anyMatch(id -> book.flow(id).isPresent());
        if (stands && !decisions.config().transfers().containsKey(transfer.name())) {
            ids.forEach(id -> withdraw(id, WithdrawCause.RELEASED));
            unwritten.remove(transfer.name());
        }
        return new TransferAnswer.Refused("transfer " + transfer.name() + (stands
            ? " could not be put in place as a whole: " + reason + "; ask again"
            : " was released before it was in place"));
    }

    private void withdraw(final long id, final WithdrawCause cause) {
        book.flow(id).ifPresent(flow -> flows.withdraw(flow, cause));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Claim;
import io.sluice.api.Failures;
import io.sluice.api.Installation;
import io.sluice.api.SwitchId;
import io.sluice.api.Timer;
import io.sluice.multipath.steering.Changes;
import io.sluice.multipath.steering.Changes.Declared;
import io.sluice.multipath.steering.ObjectKind;
import io.sluice.multipath.steering.SteeringRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Carries changes out: first flows go, since others may take their packets; then detours come before paths, and paths
 * before the flows that use them; last, when packets that still bear an old label have left the fabric, paths and
 * detours go. Changes that come while others are under way form the next round, so that a burst of connections costs
 * few barriers. If the store fails, the switches are served all the same; what it should have dropped is dropped with
 * the next round.
 *
 * <p>All methods run on {@code loop}.
 */
final class Installer {
    /** No packet lives that long in the fabric. */
    private static final long DRAIN_NS = 500_000_000L;
    private final Claim claim;
    private final RecordStore store;
    private final Executor loop;
    private final Timer timer;
    private final Map<Long, SteeringRecord> toDrop = new TreeMap<>();
    /** Objects of orders that are not carried out yet, and how many these are. */
    private final Map<Long, Integer> changing = new HashMap<>();
    private List<Order> waiting = new ArrayList<>();
    private boolean busy;

    private record Order(Changes changes, CompletableFuture<Optional<String>> done) { }

    Installer(final Claim claim, final RecordStore store, final Executor loop, final Timer timer) {
        this.claim = claim;
        this.store = store;
        this.loop = loop;
        this.timer = timer;
    }

    /**
     * Carries out; completes when everything to declare is in place, before what is withdrawn has gone, with what keeps
     * something from being in place or from being kept, if anything does.
     */
    CompletionStage<Optional<String>> carryOut(final Changes changes) {
        final var order = new Order(changes, new CompletableFuture<>());
        waiting.add(order);
        changes.declared().forEach(declared -> count(declared.record(), 1));
        changes.withdrawn().forEach(withdrawn -> count(withdrawn, 1));
        if (!busy) {
            nextRound();
        }
        return order.done();
    }

    /** Returns the objects whose declaration or withdrawal is under way. */
    Set<Long> changing() {
        return Set.copyOf(changing.keySet());
    }

    private void count(final SteeringRecord record, final int orders) {
        changing.merge(record.object(), orders, (one, other) -> one + other == 0 ? null : one + other);
    }

    private void nextRound() {
        final var round = waiting;
        waiting = new ArrayList<>();
        busy = !round.isEmpty();
        if (!busy) {
            return;
        }
        final var objects = new LinkedHashMap<Long, Declared>();
        final var flows = new ArrayList<SteeringRecord>();
        for (var order : round) {
            order.changes().declared().forEach(declared -> objects.put(declared.record().object(), declared));
            order.changes().withdrawn().stream().filter(Installer::isFlow).forEach(flow -> {
                objects.remove(flow.object());
                flows.add(flow);
            });
        }
        final var answers = new HashMap<Long, Installation>();
        keep(objects.values().stream().map(Declared::record).toList())
            .thenCombine(withdraw(flows).thenComposeAsync(gone -> declare(objects.values(), answers), loop),
                (unkept, declared) -> unkept)
            .whenCompleteAsync((unkept, failure) -> {
                round.forEach(order -> finish(order, answers,
                    failure == null ? unkept : Optional.of(failure.toString())));
                nextRound();
            }, loop);
    }

    /** Says why the records are not kept, if they are not; drops what is still to be dropped. */
    private CompletionStage<Optional<String>> keep(final List<SteeringRecord> records) {
        records.forEach(record -> toDrop.remove(record.object()));
        final var dropped = List.copyOf(toDrop.values());
        return store.update(records, dropped).handleAsync((stored, failure) -> {
            if (failure == null) {
                dropped.forEach(record -> toDrop.remove(record.object(), record));
            }
            return Optional.ofNullable(failure).map(reason -> "not kept for a restart: " + Failures.reason(reason));
        }, loop);
    }

    private void finish(final Order order, final Map<Long, Installation> answers, final Optional<String> unkept) {
        final var reasons = new TreeMap<SwitchId, String>();
        for (var declared : order.changes().declared()) {
            if (answers.get(declared.record().object()) instanceof Installation.Pending pending) {
                reasons.putAll(pending.reasons());
            }
        }
        order.changes().declared().forEach(declared -> count(declared.record(), -1));
        order.changes().withdrawn().stream().filter(Installer::isFlow).forEach(flow -> count(flow, -1));
        final var paths = order.changes().withdrawn().stream().filter(record -> !isFlow(record)).toList();
        if (!paths.isEmpty()) {
            timer.after(DRAIN_NS, () -> withdraw(paths).whenCompleteAsync((gone, failure) ->
                paths.forEach(path -> count(path, -1)), loop));
        }
        order.done().complete(reasons.isEmpty() ? unkept
            : Optional.of(new Installation.Pending(reasons).told()));
    }

    private CompletionStage<?> declare(final Collection<Declared> objects, final Map<Long, Installation> answers) {
        CompletionStage<?> done = CompletableFuture.completedStage(null);
        for (var kind : ObjectKind.values()) {
            final var ofKind = objects.stream().filter(object -> kind.includes(object.record().object())).toList();
            if (!ofKind.isEmpty()) {
                done = done.thenComposeAsync(before -> declareAll(ofKind, answers), loop);
            }
        }
        return done;
    }

    private CompletionStage<?> declareAll(final List<Declared> objects, final Map<Long, Installation> answers) {
        return CompletableFuture.allOf(objects.stream().map(object ->
            claim.declare(object.record().object(), object.entries()).thenAcceptAsync(
                installation -> answers.put(object.record().object(), installation), loop).toCompletableFuture())
            .toArray(CompletableFuture[]::new));
    }

    private static boolean isFlow(final SteeringRecord record) {
        return ObjectKind.FLOW.includes(record.object());
    }

    private CompletionStage<?> withdraw(final List<SteeringRecord> records) {
        if (records.isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        return CompletableFuture.allOf(records.stream().map(record ->
                claim.withdraw(record.object()).toCompletableFuture()).toArray(CompletableFuture[]::new))
            .thenComposeAsync(gone -> {
                records.forEach(record -> toDrop.put(record.object(), record));
                return keep(List.of());
            }, loop);
    }
}

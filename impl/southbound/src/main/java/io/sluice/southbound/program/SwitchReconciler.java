// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Failures;
import io.sluice.api.Owner;
import io.sluice.southbound.program.Change.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * Makes one switch hold what is declared for it.
 *
 * <p>It keeps what is declared, what the switch is believed to hold, and the keys where the two may differ. One batch
 * or reading is under way at a time; keys that become dirty meanwhile form the next batch, so that a burst of
 * declarations costs few barriers and every batch is computed from the latest declaration.
 *
 * <p>Not thread-safe: all methods run on {@code loop}, and so do the completions of the stages it returns.
 */
final class SwitchReconciler {
    private static final String AWAY = "the switch is not attached";

    private final Executor loop;
    private final IntPredicate settled;
    private final Declarations declared = new Declarations();
    private final Map<EntryKey, Held> believed = new HashMap<>();
    private final Map<EntryKey, String> refused = new HashMap<>();
    private final Set<EntryKey> dirty = new LinkedHashSet<>();
    private List<Waiter> waiters = new ArrayList<>();
    private SwitchSession session;
    private boolean busy;
    /** The switch was not read since the session began, or since a batch that had no answer. */
    private boolean doubtful;
    private CompletableFuture<?> underWay = CompletableFuture.completedFuture(null);

    private record Waiter(Collection<EntryKey> keys, CompletableFuture<Map<EntryKey, String>> done) { }

    /** What differed, and what the switch refused of its repair, with the reasons. */
    record Repair(Comparison comparison, Map<EntryKey, String> refused) { }

    /**
     * Starts without a session.
     *
     * @param settled says of an owner's number whether everything it wants has been declared
     */
    SwitchReconciler(final Executor loop, final IntPredicate settled) {
        this.loop = loop;
        this.settled = settled;
    }

    boolean isAttached() {
        return session != null;
    }

    /** Numbers of the owners that declare entries. */
    Set<Integer> owners() {
        return declared.owners();
    }

    /** True if the object with {@code cookie} declares {@code entry}, be it first in line for the key or not. */
    boolean declares(final long cookie, final Held.Known entry) {
        return declared.has(cookie, EntryKey.of(entry.entry()), entry);
    }

    /**
     * Puts and removes declarations of one object; completes with nothing, or with why the switch lacks some. An entry
     * whose key another object holds waits until that object gives it up.
     */
    CompletionStage<Optional<String>> change(final long cookie, final Collection<Held.Known> put,
            final Collection<EntryKey> remove) {
        final var keys = new ArrayList<EntryKey>(remove);
        remove.forEach(key -> declared.remove(cookie, key));
        Optional<String> waits = Optional.empty();
        for (var known : put) {
            final var key = EntryKey.of(known.entry());
            final long holder = declared.put(cookie, key, known);
            keys.add(key);
            if (holder != cookie) {
                waits = Optional.of(key + ": object " + Owner.objectOfCookie(holder) + " of owner "
                    + Owner.ownerOfCookie(holder) + " declares it; it is installed when that object gives it up");
            }
        }
        final var reason = waits;
        dirty.addAll(keys);
        final var confirmed = confirmation(keys);
        if (session == null) {
            fail(AWAY);
        } else {
            flush();
        }
        return confirmed.thenApply(refusals -> refusals.entrySet().stream().findFirst()
            .map(refusal -> refusal.getKey() + ": " + refusal.getValue()).or(() -> reason))
            .exceptionally(failure -> Optional.of(Failures.reason(failure)));
    }

    /** Forgets the declarations of an owner; the switch keeps the entries, unless another owner declares others. */
    void forget(final int owner) {
        for (var key : declared.removeOwner(owner)) {
            if (declared.get(key) == null) {
                dirty.remove(key);
            } else {
                dirty.add(key);
            }
        }
        flush();
    }

    /** The session with the switch; null while it is away. */
    SwitchSession session() {
        return session;
    }

    /**
     * Takes a switch that has just attached, whatever it holds, and makes it agree; completes with what differed, also
     * if the switch refused some of it.
     */
    CompletionStage<Comparison> attach(final SwitchSession newSession) {
        detach();
        session = newSession;
        doubtful = true;
        return compared(this::repair).thenApply(Repair::comparison);
    }

    /** What is under way fails, since its answer may never come, and changes nothing any more. */
    void detach() {
        session = null;
        busy = false;
        underWay.completeExceptionally(new IllegalStateException(AWAY));
        fail(AWAY);
    }

    /** Reads the switch and compares; changes nothing. */
    CompletionStage<Repair> validate() {
        return compared(comparison -> {
            flush();
            return CompletableFuture.completedStage(new Repair(comparison, Map.of()));
        });
    }

    /** Reads the switch, compares, and repairs; completes when the repair is confirmed or refused. */
    CompletionStage<Repair> sync() {
        return compared(this::repair);
    }

    /** Reads the switch; completes with what it holds with Sluice's mark. */
    CompletionStage<Collection<Held>> held() {
        return compared(comparison -> {
            final var held = List.copyOf(believed.values());
            flush();
            return CompletableFuture.completedStage(held);
        });
    }

    /** Reads the switch while nothing else is sent to it, and compares it with what was declared before. */
    private <T> CompletionStage<T> compared(final Function<Comparison, CompletionStage<T>> next) {
        final var reader = session;
        if (reader == null) {
            return CompletableFuture.failedStage(new IllegalStateException(AWAY));
        }
        if (busy) {
            return confirmation(List.of()).handleAsync((quiet, failure) -> compared(next), loop)
                .thenCompose(Function.identity());
        }
        busy = true;
        final var wanted = declared.all();
        return awaited(reader.read()).handleAsync((contents, failure) -> {
            if (session != reader) {
                return CompletableFuture.<T>failedStage(new IllegalStateException(AWAY));
            }
            busy = false;
            if (failure != null) {
                final var reason = Failures.reason(failure);
                if (doubtful) {
                    fail(reason);
                } else {
                    flush();
                }
                return CompletableFuture.<T>failedStage(new IllegalStateException(reason));
            }
            doubtful = false;
            believed.clear();
            believed.putAll(contents.owned());
            return next.apply(Comparison.of(wanted, contents, settled));
        }, loop).thenCompose(Function.identity());
    }

    /** The answer that is under way, of which there is one at a time. */
    private <T> CompletionStage<T> awaited(final CompletionStage<T> answer) {
        final var awaited = answer.toCompletableFuture().copy();
        underWay = awaited;
        return awaited;
    }

    private CompletionStage<Repair> repair(final Comparison comparison) {
        final var keys = comparison.differences().stream().map(Comparison.Difference::key).toList();
        dirty.addAll(keys);
        final var confirmed = confirmation(keys);
        flush();
        return confirmed.thenApply(refused -> new Repair(comparison, refused));
    }

    /** Completes after the next batch with what the switch refused of {@code keys}; fails if it does not answer. */
    private CompletableFuture<Map<EntryKey, String>> confirmation(final Collection<EntryKey> keys) {
        final var done = new CompletableFuture<Map<EntryKey, String>>();
        waiters.add(new Waiter(keys, done));
        return done;
    }

    private void flush() {
        if (busy || session == null || dirty.isEmpty() && waiters.isEmpty()) {
            return;
        }
        if (doubtful) {
            validate();
            return;
        }
        final var keys = List.copyOf(dirty);
        final var served = waiters;
        dirty.clear();
        waiters = new ArrayList<>();
        refused.keySet().removeAll(keys);
        final var changes = changes(keys, session.features());
        if (changes.isEmpty()) {
            answer(served);
            return;
        }
        busy = true;
        final var sender = session;
        awaited(sender.apply(changes)).whenCompleteAsync((refusals, failure) -> {
            if (session == sender && failure == null) {
                busy = false;
                confirm(changes, refusals);
                answer(served);
                flush();
            } else {
                dirty.addAll(keys);
                interrupted(sender, served, failure == null ? AWAY : Failures.reason(failure));
            }
        }, loop);
    }

    /** The keys of a batch without an answer wait for the next one, before which the switch is read. */
    private void interrupted(final SwitchSession sender, final List<Waiter> served, final String reason) {
        fail(served, reason);
        if (session == sender) {
            busy = false;
            doubtful = true;
            fail(reason);
        } else {
            flush();
        }
    }

    private void confirm(final List<Change> changes, final Map<EntryKey, String> refusals) {
        refused.putAll(refusals);
        for (var change : changes) {
            if (refusals.containsKey(change.key())) {
                continue;
            }
            if (change.kind() == Kind.REMOVE) {
                believed.remove(change.key());
            } else {
                believed.put(change.key(), change.held());
            }
        }
    }

    private void answer(final List<Waiter> served) {
        served.forEach(waiter -> waiter.done().complete(waiter.keys().stream().filter(refused::containsKey)
            .collect(Collectors.toMap(key -> key, refused::get, (one, same) -> one, LinkedHashMap::new))));
    }

    private void fail(final String reason) {
        final var failed = waiters;
        waiters = new ArrayList<>();
        fail(failed, reason);
    }

    private static void fail(final List<Waiter> served, final String reason) {
        served.forEach(waiter -> waiter.done().completeExceptionally(new IllegalStateException(reason)));
    }

    /** What to send, in order; what the switch says it can't hold is refused instead. */
    private List<Change> changes(final List<EntryKey> keys, final SwitchFeatures features) {
        final var changes = new ArrayList<Change>();
        for (var key : keys) {
            final var want = declared.get(key);
            final var have = believed.get(key);
            if (want == null && have != null) {
                changes.add(new Change(Kind.REMOVE, key, have));
            } else if (want != null && !want.equals(have)) {
                features.refusal(want.entry()).ifPresentOrElse(reason -> refused.put(key, reason), () ->
                    changes.add(new Change(have == null ? Kind.ADD : Kind.REPLACE, key, want)));
            }
        }
        changes.sort(Change.ORDER);
        return changes;
    }
}

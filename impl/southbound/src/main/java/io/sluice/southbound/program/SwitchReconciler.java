// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.southbound.program.Change.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.IntPredicate;

/**
 * Makes one switch hold what is declared for it.
 *
 * <p>It keeps what is declared, what the switch is believed to hold, and the keys where the two may differ. One batch is
 * under way at a time; keys that become dirty meanwhile form the next batch, so that a burst of declarations costs few
 * barriers and every batch is computed from the latest declaration.
 *
 * <p>Not thread-safe: all methods run on {@code loop}, and so do the completions of the stages it returns.
 */
final class SwitchReconciler {
    private final Executor loop;
    private final IntPredicate settled;
    private final Map<EntryKey, Held.Known> declared = new HashMap<>();
    private final Map<EntryKey, Held> believed = new HashMap<>();
    private final Map<EntryKey, String> refused = new HashMap<>();
    private final Set<EntryKey> dirty = new LinkedHashSet<>();
    private List<Waiter> waiters = new ArrayList<>();
    private SwitchSession session;
    private boolean busy;

    private record Waiter(Collection<EntryKey> keys, CompletableFuture<Optional<String>> done) { }

    /**
     * Starts without a session.
     *
     * @param settled says of an owner's number whether everything it wants has been declared
     */
    SwitchReconciler(final Executor loop, final IntPredicate settled) {
        this.loop = loop;
        this.settled = settled;
    }

    /** The declaration that stands for {@code key}, or null. */
    Held.Known declared(final EntryKey key) {
        return declared.get(key);
    }

    boolean isAttached() {
        return session != null;
    }

    /** Puts and removes declarations; completes with nothing, or with why the switch does not hold them all. */
    CompletionStage<Optional<String>> change(final Collection<Held.Known> put, final Collection<EntryKey> remove) {
        final var keys = new ArrayList<EntryKey>(remove);
        remove.forEach(declared::remove);
        for (var known : put) {
            final var key = EntryKey.of(known.entry());
            declared.put(key, known);
            keys.add(key);
        }
        dirty.addAll(keys);
        final var done = new CompletableFuture<Optional<String>>();
        waiters.add(new Waiter(keys, done));
        if (session == null) {
            release(Optional.of("the switch is not attached"));
        } else {
            flush();
        }
        return done;
    }

    /** Forgets the declarations of an owner; the switch keeps the entries. */
    void forget(final int owner) {
        declared.values().removeIf(known -> known.owner() == owner);
    }

    /** True if anything is declared for the switch. */
    boolean isWanted() {
        return !declared.isEmpty();
    }

    /** The session with the switch; null while it is away. */
    SwitchSession session() {
        return session;
    }

    /** Takes a switch that has just attached, whatever it holds, and makes it agree. */
    CompletionStage<Comparison> attach(final SwitchSession newSession) {
        session = newSession;
        return sync();
    }

    void detach() {
        session = null;
        release(Optional.of("the switch is not attached"));
    }

    /** Reads the switch and compares; changes nothing. */
    CompletionStage<Comparison> validate() {
        if (session == null) {
            return CompletableFuture.failedStage(new IllegalStateException("the switch is not attached"));
        }
        return session.read().thenApplyAsync(contents -> Comparison.of(declared, contents, settled), loop);
    }

    /** Reads the switch, compares, and repairs; completes when the repair is confirmed. */
    CompletionStage<Comparison> sync() {
        final var reader = session;
        if (reader == null) {
            return CompletableFuture.failedStage(new IllegalStateException("the switch is not attached"));
        }
        if (busy) {
            return whenQuiet().thenComposeAsync(quiet -> sync(), loop);
        }
        busy = true;
        return reader.read().handleAsync((contents, failure) -> {
            busy = false;
            return failure == null ? repair(reader, contents) : giveUp(failure);
        }, loop).thenCompose(stage -> stage);
    }

    private CompletionStage<Comparison> giveUp(final Throwable failure) {
        flush();
        return CompletableFuture.failedStage(new IllegalStateException(Failures.reason(failure)));
    }

    private CompletionStage<Comparison> repair(final SwitchSession reader, final SwitchSession.Contents contents) {
        if (session != reader) {
            return CompletableFuture.failedStage(new IllegalStateException("the switch went away"));
        }
        believed.clear();
        believed.putAll(contents.owned());
        final var comparison = Comparison.of(declared, contents, settled);
        final var keys = comparison.differences().stream().map(Comparison.Difference::key).toList();
        dirty.addAll(keys);
        final var done = new CompletableFuture<Optional<String>>();
        waiters.add(new Waiter(keys, done));
        flush();
        return done.thenApply(reason -> {
            reason.ifPresent(text -> {
                throw new IllegalStateException(text);
            });
            return comparison;
        });
    }

    private CompletionStage<Optional<String>> whenQuiet() {
        final var done = new CompletableFuture<Optional<String>>();
        waiters.add(new Waiter(List.of(), done));
        return done;
    }

    private void flush() {
        if (busy || session == null) {
            return;
        }
        if (dirty.isEmpty() && waiters.isEmpty()) {
            return;
        }
        final var keys = List.copyOf(dirty);
        final var served = waiters;
        dirty.clear();
        waiters = new ArrayList<>();
        final var changes = changes(keys);
        refused.keySet().removeAll(keys);
        if (changes.isEmpty()) {
            answer(served, Optional.empty());
            return;
        }
        busy = true;
        final var sender = session;
        sender.apply(changes).whenCompleteAsync((refusals, failure) -> {
            busy = false;
            if (session == sender && failure == null) {
                confirm(changes, refusals);
            } else {
                dirty.addAll(keys);
            }
            answer(served, Optional.ofNullable(failure).map(Failures::reason));
            if (failure == null) {
                flush();
            }
        }, loop);
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

    private void answer(final List<Waiter> served, final Optional<String> failure) {
        for (var waiter : served) {
            waiter.done().complete(failure.or(() -> waiter.keys().stream().filter(refused::containsKey).findFirst()
                .map(key -> key + ": " + refused.get(key))));
        }
    }

    private void release(final Optional<String> reason) {
        final var released = waiters;
        waiters = new ArrayList<>();
        released.forEach(waiter -> waiter.done().complete(reason));
    }

    /** Meters and groups before the flows that use them, additions before removals, flows gone before their groups. */
    private List<Change> changes(final List<EntryKey> keys) {
        final var changes = new ArrayList<Change>();
        for (var key : keys) {
            final var want = declared.get(key);
            final var have = believed.get(key);
            if (want == null && have != null) {
                changes.add(new Change(Kind.REMOVE, key, have));
            } else if (want != null && have == null) {
                changes.add(new Change(Kind.ADD, key, want));
            } else if (want != null && !want.equals(have)) {
                changes.add(new Change(Kind.REPLACE, key, want));
            }
        }
        changes.sort(Comparator.comparingInt(SwitchReconciler::order));
        return changes;
    }

    private static int order(final Change change) {
        final int rank = switch (change.key()) {
            case EntryKey.MeterKey meter -> 0;
            case EntryKey.GroupKey group -> 1;
            case EntryKey.FlowKey flow -> 2;
            case EntryKey.AlienKey alien -> 2;
        };
        return change.kind() == Kind.REMOVE ? 5 - rank : rank;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import io.sluice.api.Entry;
import io.sluice.api.Owner;
import io.sluice.southbound.program.Change;
import io.sluice.southbound.program.Change.Kind;
import io.sluice.southbound.program.EntryKey;
import io.sluice.southbound.program.Held;
import io.sluice.southbound.program.SwitchFeatures;
import io.sluice.southbound.program.SwitchSession;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The entries of a measurement on one switch. Its owner makes no claim, so that repairs leave the entries alone, also
 * those of a measurement that was cut short. Calls block until the switch has answered.
 */
final class Scratch {
    static final Owner OWNER = new Owner("qualify", 15);
    private static final long COOKIE = OWNER.cookie(0);
    private static final long PATIENCE_S = 30;

    private final SwitchSession session;

    /** The switch does not answer any more, so that there is nothing to measure. */
    static final class NoAnswerException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoAnswerException(final String message, final Throwable cause) {
            super(message, cause);
        }
    }

    Scratch(final SwitchSession session) {
        this.session = session;
    }

    SwitchFeatures features() {
        return session.features();
    }

    /** Why the switch says that it can't hold one of {@code entries}. */
    Optional<String> unsupported(final List<? extends Entry> entries) {
        return entries.stream().map(features()::refusal).flatMap(Optional::stream).findFirst();
    }

    /** Sends entries, meters and groups before the flows that use them; returns what the switch refused first. */
    Optional<String> change(final Kind kind, final List<? extends Entry> entries) {
        return send(entries.stream().map(entry -> new Change(kind, EntryKey.of(entry), held(entry))))
            .entrySet().stream().findFirst().map(refusal -> refusal.getKey() + ": " + refusal.getValue());
    }

    /** Reads the switch; returns how it differs from holding exactly {@code entries} of the measurement. */
    Optional<String> difference(final List<? extends Entry> entries) {
        final var holds = ofMeasurement();
        for (var entry : entries) {
            final var key = EntryKey.of(entry);
            final var is = holds.remove(key);
            if (is == null) {
                return Optional.of("not there when read back: " + key);
            }
            if (!is.equals(held(entry))) {
                return Optional.of("otherwise when read back: " + key);
            }
        }
        return holds.keySet().stream().findFirst().map(key -> "there without having been sent: " + key);
    }

    /** Removes all entries of this or any earlier measurement. */
    void clear() {
        send(ofMeasurement().entrySet().stream().map(held -> new Change(Kind.REMOVE, held.getKey(), held.getValue())));
    }

    /** Waits for an answer of the switch. */
    static <T> T await(final CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("the measurement was cut short", e);
        } catch (ExecutionException e) {
            throw new NoAnswerException(e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            throw new NoAnswerException("no answer within " + PATIENCE_S + " s", e);
        }
    }

    private Map<EntryKey, String> send(final Stream<Change> changes) {
        return await(session.apply(changes.sorted(Comparator.comparingInt(Change::rank)).toList()));
    }

    private Map<EntryKey, Held> ofMeasurement() {
        final var holds = new HashMap<>(await(session.read()).owned());
        holds.values().removeIf(held -> held.owner() != OWNER.number());
        return holds;
    }

    private static Held.Known held(final Entry entry) {
        return new Held.Known(entry, OWNER.number(), entry instanceof Entry.Flow ? COOKIE : 0);
    }
}

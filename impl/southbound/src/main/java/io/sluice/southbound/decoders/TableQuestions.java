// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.decoders;

import io.sluice.southbound.program.FlowTables.Table;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Questions what flow tables can do, to one switch at a time: an answer does not say which switch it is from, and
 * switches number their transactions alike. Thread-safe.
 */
public final class TableQuestions {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    /** What came by transaction while one question is under way. */
    private final Map<Long, Map<Integer, Table>> answers = new HashMap<>();
    private boolean asked;

    /**
     * Asks when its turn comes.
     *
     * @param question sends the question; completes with the number of its transaction when all of the answer is there,
     *     and has to complete or fail in finite time
     * @return what the switch says, by the number of the table; fails as the question does
     */
    public CompletableFuture<Map<Integer, Table>> ask(final Supplier<CompletableFuture<Long>> question) {
        final var done = new CompletableFuture<Map<Integer, Table>>();
        final Runnable turn = () -> CompletableFuture.completedFuture(question).thenCompose(Supplier::get)
            .whenComplete((transaction, failure) -> {
                final var answer = end(transaction);
                if (failure == null) {
                    done.complete(answer);
                } else {
                    done.completeExceptionally(failure);
                }
            });
        if (begins(turn)) {
            turn.run();
        }
        return done;
    }

    /** Whether somebody waits for an answer. */
    synchronized boolean isAsked() {
        return asked;
    }

    /** Takes part of an answer. */
    synchronized void answer(final long transaction, final Map<Integer, Table> tables) {
        answers.computeIfAbsent(transaction, number -> new HashMap<>()).putAll(tables);
    }

    private synchronized boolean begins(final Runnable turn) {
        if (asked) {
            waiting.add(turn);
            return false;
        }
        asked = true;
        return true;
    }

    /** Takes the answer to the question that is under way, and lets the next one begin. */
    private Map<Integer, Table> end(final Long transaction) {
        final Runnable next;
        final Map<Integer, Table> answer;
        synchronized (this) {
            answer = answers.getOrDefault(transaction, Map.of());
            answers.clear();
            next = waiting.poll();
            asked = next != null;
        }
        if (next != null) {
            next.run();
        }
        return answer;
    }
}

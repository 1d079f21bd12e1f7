// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.decoders;

import io.sluice.southbound.program.FlowTables.Table;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions what flow tables can do, to one switch at a time: an answer does not say which switch it is from, and
 * switches number their transactions alike. Thread-safe.
 */
public final class TableQuestions {
    private static final Logger LOG = LoggerFactory.getLogger(TableQuestions.class);

    /** What came by transaction while one question is under way. */
    private final Map<Long, Map<Integer, Table>> answers = new HashMap<>();
    /** Transactions with two answers, of which nobody knows whose they are. */
    private final Set<Long> ambiguous = new HashSet<>();
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private boolean asked;

    /**
     * Asks when its turn comes.
     *
     * @param question sends the question; completes with the number of its transaction when all of the answer is there,
     *     and has to complete or fail in finite time
     * @return what the switch says, by the number of the table; fails as the question does
     */
    public synchronized CompletableFuture<Map<Integer, Table>> ask(final Supplier<CompletableFuture<Long>> question) {
        final var turn = last.thenCompose(before -> {
            begin();
            return question.get();
        });
        final var answer = turn.thenApply(this::answerTo);
        last = answer.handle((taken, failure) -> {
            end();
            return null;
        });
        return answer;
    }

    /** Whether somebody waits for an answer. */
    public synchronized boolean isAsked() {
        return asked;
    }

    /** Takes part of an answer. */
    public synchronized void answer(final long transaction, final Map<Integer, Table> tables) {
        final var before = answers.computeIfAbsent(transaction, number -> new HashMap<>());
        if (tables.keySet().stream().anyMatch(before::containsKey)) {
            ambiguous.add(transaction);
        }
        before.putAll(tables);
    }

    private synchronized void begin() {
        asked = true;
    }

    private synchronized Map<Integer, Table> answerTo(final long transaction) {
        if (ambiguous.contains(transaction)) {
            LOG.warn("table-features-ambiguous transaction={}", transaction);
            return Map.of();
        }
        return Map.copyOf(answers.getOrDefault(transaction, Map.of()));
    }

    private synchronized void end() {
        asked = false;
        answers.clear();
        ambiguous.clear();
    }
}

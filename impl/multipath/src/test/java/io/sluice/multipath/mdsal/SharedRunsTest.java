// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class SharedRunsTest {
    private final List<CompletableFuture<Void>> runs = new ArrayList<>();
    private final SharedRuns shared = new SharedRuns(this::run);

    @Test
    void whoAsksWhileARunIsUnderWaySharesTheNextOne() {
        final var first = ask();
        final var second = ask();
        final var third = ask();
        assertEquals(1, runs.size());

        runs.getFirst().complete(null);
        assertTrue(first.isDone());
        assertFalse(second.isDone());
        assertEquals(2, runs.size());

        final var fourth = ask();
        runs.getLast().complete(null);
        assertTrue(second.isDone() && third.isDone());
        assertFalse(fourth.isDone());
        assertEquals(3, runs.size());
        runs.getLast().complete(null);
        assertTrue(fourth.isDone());
    }

    @Test
    void eachCallAloneHasARunOfItsOwn() {
        for (int call = 1; call <= 3; call++) {
            final var asked = ask();
            assertEquals(call, runs.size());
            runs.getLast().complete(null);
            assertTrue(asked.isDone());
        }
    }

    @Test
    void aFailureIsToldAndTheNextRunBegins() {
        final var first = ask();
        final var second = ask();
        runs.getFirst().completeExceptionally(new IllegalStateException("no leader"));
        assertTrue(first.isCompletedExceptionally());
        runs.getLast().complete(null);
        assertFalse(second.isCompletedExceptionally());
        assertEquals(2, runs.size());
    }

    @Test
    void aTaskThatThrowsFailsItsCallersAlone() {
        final var thrower = new SharedRuns(() -> {
            throw new IllegalStateException("closed");
        });
        assertTrue(thrower.ask().toCompletableFuture().isCompletedExceptionally());
        assertTrue(thrower.ask().toCompletableFuture().isCompletedExceptionally());
    }

    private CompletableFuture<Void> ask() {
        return shared.ask().toCompletableFuture();
    }

    private CompletionStage<Void> run() {
        runs.add(new CompletableFuture<>());
        return runs.getLast();
    }
}

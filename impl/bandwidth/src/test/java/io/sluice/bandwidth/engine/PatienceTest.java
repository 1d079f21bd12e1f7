// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.bandwidth.engine.Patience.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private final List<Runnable> timers = new ArrayList<>();
    private final Patience patience = new Patience(timers::add, Runnable::run);
    private final CompletableFuture<Void> slow = new CompletableFuture<>();
    private final List<String> overdue = new ArrayList<>();

    @Test
    void whoAnswersInTimeIsWaitedFor() {
        final var quick = new CompletableFuture<Void>();
        final var waited = await(question(1, quick));
        assertFalse(waited.isDone());

        quick.complete(null);

        assertTrue(waited.isDone());
        timers.forEach(Runnable::run);
        assertEquals(List.of(), overdue);
    }

    @Test
    void whoTakesLongerIsNotWaitedForAgainBeforeItHasAnswered() {
        final var quick = new CompletableFuture<Void>();
        final var first = await(question(1, slow), question(2, quick));
        quick.complete(null);
        assertFalse(first.isDone());
        timers.forEach(Runnable::run);
        assertTrue(first.isDone());
        assertEquals(List.of("1"), overdue);

        assertTrue(await(question(1, new CompletableFuture<>())).isDone());
        assertEquals(List.of("1", "1"), overdue);

        slow.complete(null);
        assertFalse(await(question(1, new CompletableFuture<>())).isDone());
    }

    @Test
    void nobodyIsTimedWhoHasAnsweredAlready() {
        assertTrue(await(question(1, CompletableFuture.completedFuture(null))).isDone());
        assertEquals(List.of(), timers);
    }

    @Test
    void whatIsToBeDoneLateIsDoneOnlyThen() {
        final var quick = new CompletableFuture<Void>();
        await(question(1, slow).orLate(() -> true, () -> overdue.add("late")),
            question(1, slow).orLate(() -> false, () -> overdue.add("no news")),
            question(2, quick).orLate(() -> true, () -> overdue.add("in time")));
        quick.complete(null);
        timers.forEach(Runnable::run);
        assertEquals(List.of("1", "1"), overdue);

        slow.complete(null);

        assertEquals(List.of("1", "1", "late"), overdue);
    }

    private CompletableFuture<Void> await(final Question... questions) {
        return patience.await(List.of(questions)).toCompletableFuture();
    }

    private Question question(final int number, final CompletableFuture<Void> answer) {
        return new Question(Set.of(node(number)), answer, () -> overdue.add(String.valueOf(number)));
    }
}

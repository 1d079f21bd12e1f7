// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.SwitchId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * How long switches are waited for: who takes longer holds up nobody else, and is not waited for again before it has
 * answered. Runs on {@code loop}.
 */
final class Patience {
    private final Executor later;
    private final Executor loop;
    /** Those that have taken longer, and not answered since. */
    private final Set<SwitchId> slow = new HashSet<>();

    /**
     * Something that switches were asked.
     *
     * @param answered completes with the answer, on the loop
     * @param overdue what is to be done if that takes too long
     */
    record Question(Set<SwitchId> asked, CompletionStage<?> answered, Runnable overdue) {
        Question(final SwitchId asked, final CompletionStage<?> answered) {
            this(Set.of(asked), answered, () -> { });
        }

        /**
         * The same, but that this is done, too, when the answer comes late.
         *
         * @param isNews whether that answer changes anything
         */
        Question orLate(final BooleanSupplier isNews, final Runnable late) {
            return new Question(asked, answered, () -> {
                overdue.run();
                answered.thenRun(() -> {
                    if (isNews.getAsBoolean()) {
                        late.run();
                    }
                });
            });
        }

        boolean isOpen() {
            return !answered.toCompletableFuture().isDone();
        }
    }

    /**
     * Knows no switch.
     *
     * @param later runs a task on the loop when the time is over that a switch has
     */
    Patience(final Executor later, final Executor loop) {
        this.later = later;
        this.loop = loop;
    }

    /** Completes when all are answered, or their time is over; fails as an answer does. */
    CompletionStage<Void> await(final Collection<Question> questions) {
        final var awaited = questions.stream().filter(question -> Collections.disjoint(slow, question.asked()))
            .toList();
        questions.forEach(question -> question.answered().thenRunAsync(() -> slow.removeAll(question.asked()), loop));
        final var all = all(awaited);
        return (all.isDone() ? all : CompletableFuture.anyOf(all, CompletableFuture.runAsync(() -> awaited.stream()
            .filter(Question::isOpen).forEach(question -> slow.addAll(question.asked())), later)))
            .thenRun(() -> questions.stream().filter(Question::isOpen).map(Question::overdue).forEach(Runnable::run));
    }

    private static CompletableFuture<Void> all(final List<Question> questions) {
        return CompletableFuture.allOf(questions.stream().map(question -> question.answered().toCompletableFuture())
            .toArray(CompletableFuture[]::new));
    }
}

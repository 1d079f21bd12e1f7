// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Hands items to a worker in batches, one batch at a time and in order: what is added while a batch is under way forms
 * the next one. So a burst costs few batches, and what happened before an item was added is seen by the batch that it
 * is in. Batches end in order. Thread-safe.
 *
 * <p>A batch that fails is handed to the worker once more, since somebody else may have been in its way, as another
 * writer to a datastore can be; a worker must bear to do again what it has done in part. If it fails again, all who
 * added to it are told, and the next batch begins.
 */
public final class Batches<T> {
    private final Function<List<T>, CompletionStage<Void>> worker;
    private List<T> waiting = new ArrayList<>();
    private CompletableFuture<Void> next = new CompletableFuture<>();
    private boolean working;

    private record Batch<T>(List<T> items, CompletableFuture<Void> done) { }

    /**
     * Starts with nothing to do.
     *
     * @param worker returns a stage that ends with the batch
     */
    public Batches(final Function<List<T>, CompletionStage<Void>> worker) {
        this.worker = worker;
    }

    /** Adds an item to a batch that has not begun yet; completes with that batch, also if it fails. */
    public CompletionStage<Void> add(final T item) {
        final CompletableFuture<Void> batch;
        synchronized (this) {
            waiting.add(item);
            batch = next;
            if (working) {
                return batch;
            }
            working = true;
        }
        work();
        return batch;
    }

    /** Batch after batch, in a loop as far as the worker is done at once. */
    private void work() {
        for (var taken = take(); taken.isPresent(); taken = take()) {
            final var batch = taken.orElseThrow();
            final var ended = attempt(batch.items()).exceptionallyCompose(failure -> attempt(batch.items()))
                .toCompletableFuture();
            if (!ended.isDone()) {
                ended.whenComplete((done, failure) -> {
                    tell(batch, failure);
                    work();
                });
                return;
            }
            ended.whenComplete((done, failure) -> tell(batch, failure));
        }
    }

    private synchronized Optional<Batch<T>> take() {
        working = !waiting.isEmpty();
        if (!working) {
            return Optional.empty();
        }
        final var batch = new Batch<>(waiting, next);
        waiting = new ArrayList<>();
        next = new CompletableFuture<>();
        return Optional.of(batch);
    }

    private CompletionStage<Void> attempt(final List<T> items) {
        try {
            return worker.apply(items);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private static void tell(final Batch<?> batch, final Throwable failure) {
        if (failure == null) {
            batch.done().complete(null);
        } else {
            batch.done().completeExceptionally(failure instanceof CompletionException wrapped
                && wrapped.getCause() != null ? wrapped.getCause() : failure);
        }
    }
}

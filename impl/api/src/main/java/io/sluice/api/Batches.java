// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Hands items to a worker in batches, one batch at a time and in order: what is added while a batch is under way forms
 * the next one. So a burst costs few batches, and what happened before an item was added is seen by the batch that it
 * is in. Thread-safe.
 *
 * <p>A batch that fails is handed to the worker once more, since somebody else may have been in its way, as another
 * writer to a datastore can be; a worker must bear to do again what it has done in part. If it fails again, all who
 * added to it are told, and the next batch begins.
 */
public final class Batches<T> {
    private static final int ATTEMPTS = 2;

    private final Function<List<T>, CompletionStage<Void>> worker;
    private List<T> waiting = new ArrayList<>();
    private CompletableFuture<Void> next = new CompletableFuture<>();
    private boolean working;

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
        begin();
        return batch;
    }

    private void begin() {
        final List<T> items;
        final CompletableFuture<Void> batch;
        synchronized (this) {
            working = !waiting.isEmpty();
            if (!working) {
                return;
            }
            items = waiting;
            batch = next;
            waiting = new ArrayList<>();
            next = new CompletableFuture<>();
        }
        attempt(items, batch, ATTEMPTS);
    }

    private void attempt(final List<T> items, final CompletableFuture<Void> batch, final int attempts) {
        work(items).whenComplete((done, failure) -> {
            if (failure == null) {
                begin();
                batch.complete(null);
            } else if (attempts > 1) {
                attempt(items, batch, attempts - 1);
            } else {
                begin();
                batch.completeExceptionally(failure);
            }
        });
    }

    private CompletionStage<Void> work(final List<T> items) {
        try {
            return worker.apply(items);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}

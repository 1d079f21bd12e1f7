// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Runs a task whenever it is asked for, one run at a time. Who asks while a run is under way gets the next one, as do all
 * others who ask then; so what happened before a call is seen by the run that the call gets. Thread-safe.
 */
final class SharedRuns {
    private final Supplier<CompletionStage<Void>> task;
    private CompletableFuture<Void> next;
    private boolean running;

    SharedRuns(final Supplier<CompletionStage<Void>> task) {
        this.task = task;
    }

    /** Asks for a run that has not begun yet; completes with it, also if it fails. */
    CompletionStage<Void> ask() {
        final CompletableFuture<Void> run;
        synchronized (this) {
            if (next != null) {
                return next;
            }
            run = new CompletableFuture<>();
            if (running) {
                next = run;
                return run;
            }
            running = true;
        }
        begin(run);
        return run;
    }

    private void begin(final CompletableFuture<Void> run) {
        CompletableFuture.completedStage(null).thenCompose(ready -> task.get()).whenComplete((done, failure) -> {
            goOn();
            if (failure == null) {
                run.complete(null);
            } else {
                run.completeExceptionally(failure);
            }
        });
    }

    private void goOn() {
        final CompletableFuture<Void> run;
        synchronized (this) {
            run = next;
            next = null;
            running = run != null;
        }
        if (run != null) {
            begin(run);
        }
    }
}

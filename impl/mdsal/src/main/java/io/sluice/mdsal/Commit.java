// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;

/** The end of a datastore transaction, as a stage of the JDK. */
public record Commit(CompletableFuture<Void> done) implements FutureCallback<CommitInfo> {
    /** Commits; completes when the datastore has taken the transaction, or refused it. */
    public static CompletionStage<Void> commit(final WriteTransaction transaction) {
        final var done = new CompletableFuture<Void>();
        transaction.commit().addCallback(new Commit(done), MoreExecutors.directExecutor());
        return done;
    }

    @Override
    public void onSuccess(final CommitInfo info) {
        done.complete(null);
    }

    @Override
    public void onFailure(final Throwable failure) {
        done.completeExceptionally(failure);
    }
}

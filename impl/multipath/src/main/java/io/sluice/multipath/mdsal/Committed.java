// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import com.google.common.util.concurrent.FutureCallback;
import java.util.concurrent.CompletableFuture;
import org.opendaylight.mdsal.common.api.CommitInfo;

/** Hands the end of a datastore transaction on. */
record Committed(CompletableFuture<Void> done) implements FutureCallback<CommitInfo> {
    @Override
    public void onSuccess(final CommitInfo info) {
        done.complete(null);
    }

    @Override
    public void onFailure(final Throwable failure) {
        done.completeExceptionally(failure);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;

/**
 * Inputs of RPCs before anything acts on them. MD-SAL lets through what the model forbids: absent mandatory leaves, and
 * values that match no member of a union; its generated code throws when such a leaf is read.
 */
final class Inputs {
    private Inputs() {
        // functions only
    }

    /** Hands what {@code decoder} reads to {@code task}, or answers with what is wrong with it. */
    static <I, O> ListenableFuture<RpcResult<O>> checked(final Supplier<I> decoder,
            final Function<I, ListenableFuture<RpcResult<O>>> task) {
        final I input;
        try {
            input = decoder.get();
        } catch (NoSuchElementException e) {
            return refused(ErrorTag.MISSING_ELEMENT, e.getMessage());
        } catch (IllegalArgumentException e) {
            return refused(ErrorTag.INVALID_VALUE, e.getMessage());
        }
        return task.apply(input);
    }

    private static <O> ListenableFuture<RpcResult<O>> refused(final ErrorTag tag, final String reason) {
        return RpcResultBuilder.<O>failed().withError(ErrorType.APPLICATION, tag, reason).buildFuture();
    }
}

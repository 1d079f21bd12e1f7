// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.SettableFuture;
import io.sluice.api.Failures;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;

/** Answers of RPCs. */
public final class Answers {
    private Answers() {
        // functions only
    }

    /** An answer that is given. */
    public static <O> RpcResult<O> success(final O output) {
        return RpcResultBuilder.success(output).build();
    }

    /** An answer that can't be given. */
    public static <O> RpcResult<O> refusal(final ErrorTag tag, final String reason) {
        return RpcResultBuilder.<O>failed().withError(ErrorType.APPLICATION, tag, reason).build();
    }

    /** An answer that will be there; a failure is a refusal that says why. */
    public static <O> ListenableFuture<RpcResult<O>> of(final CompletionStage<RpcResult<O>> stage) {
        final var answer = SettableFuture.<RpcResult<O>>create();
        stage.whenComplete((result, failure) -> answer.set(failure == null ? result
            : refusal(ErrorTag.OPERATION_FAILED, Failures.reason(failure))));
        return answer;
    }

    /**
     * The answer of {@code task} to what {@code decoder} reads of the input, or what is wrong with that, before
     * anything acts on it. MD-SAL lets through what the model forbids: absent mandatory leaves, and values that match
     * no member of a union; its generated code throws when such a leaf is read.
     */
    public static <I, O> ListenableFuture<RpcResult<O>> checked(final Supplier<I> decoder,
            final Function<I, CompletionStage<RpcResult<O>>> task) {
        final I input;
        try {
            input = decoder.get();
        } catch (NoSuchElementException e) {
            return Futures.immediateFuture(refusal(ErrorTag.MISSING_ELEMENT, e.getMessage()));
        } catch (IllegalArgumentException e) {
            return Futures.immediateFuture(refusal(ErrorTag.INVALID_VALUE, e.getMessage()));
        }
        return of(task.apply(input));
    }
}

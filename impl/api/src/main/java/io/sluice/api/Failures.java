// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What is said to people of a stage that failed. */
public final class Failures {
    private Failures() {
        // one function
    }

    /** Why a stage failed, without the exceptions that wrap the cause. */
    public static String reason(final Throwable failure) {
        var cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Says in one line why a stage failed. */
final class Failures {
    private Failures() {
        // one function
    }

    static String reason(final Throwable failure) {
        var cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}

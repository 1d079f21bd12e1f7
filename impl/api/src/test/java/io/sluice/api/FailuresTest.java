// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void saysWhatTheCauseSays() {
        final var cause = new IllegalStateException("no leader");
        assertEquals("no leader", Failures.reason(cause));
        assertEquals("no leader", Failures.reason(new CompletionException(new ExecutionException(cause))));
    }

    @Test
    void namesACauseThatSaysNothing() {
        assertEquals("IllegalStateException", Failures.reason(new CompletionException(new IllegalStateException())));
    }
}

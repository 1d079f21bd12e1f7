// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.util.concurrent.SettableFuture;
import io.sluice.api.Failures;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.SendBarrier;

class RpcsTest {
    @Test
    void anAnswerThatDoesNotComeIsNotWaitedForForEver() {
        final var rpcs = new Rpcs(new FakePlugin().provide(SendBarrier.class, input -> SettableFuture.create()),
            "openflow:1", Duration.ofMillis(1));

        final var failure = assertThrows(CompletionException.class, rpcs.barrier()::join);

        assertEquals("no answer for 0 s", Failures.reason(failure));
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.ortools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OnceTest {
    @Test
    void whatFailedIsTriedAgainAndWhatIsDoneIsNot() throws IOException {
        final var tries = new AtomicInteger();
        final var once = new Once(() -> {
            if (tries.incrementAndGet() < 3) {
                throw new IOException("no space left");
            }
        });

        assertThrows(IOException.class, once::run);
        assertThrows(IOException.class, once::run);
        once.run();
        once.run();
        assertEquals(3, tries.get());
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Epochs grow, whatever the clock does. */
class EpochFileTest {
    @TempDir
    private Path folder;

    private long next(final long clockMs) throws IOException {
        return EpochFile.next(folder.resolve("epoch"), InstantSource.fixed(Instant.ofEpochMilli(clockMs)));
    }

    @Test
    void aClockThatIsSetBackMakesNoNodeOld() throws IOException {
        long last = next(1_700_000_000_000L);
        for (final long clockMs : new long[] {1_700_000_000_000L, 1_600_000_000_000L, 0, 1_800_000_000_000L, 5}) {
            final long epoch = next(clockMs);
            assertTrue(epoch > last, () -> "at " + clockMs);
            last = epoch;
        }
    }

    @Test
    void aLostFileLeavesTheClock() throws IOException {
        final long first = next(1_700_000_000_000L);
        Files.delete(folder.resolve("epoch"));

        assertTrue(next(1_700_000_000_001L) > first);
    }

    @Test
    void aFileOfSomethingElseIsRefusedAndKept() throws IOException {
        final var file = folder.resolve("epoch");
        for (final var wrong : List.of("", "-1", "tomorrow", "9999999999999", "12345678901234567890")) {
            Files.writeString(file, wrong);
            assertThrows(IOException.class, () -> next(1), wrong);
            assertEquals(wrong, Files.readString(file));
        }
    }
}

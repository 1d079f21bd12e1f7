// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * Gives each start of a node an epoch above all earlier ones (docs/wire/bus.md), also if the clock was set back: the
 * file has the number of the last start. If the file is lost, the clock alone decides.
 */
public final class EpochFile {
    /** Epochs of a start: its topics use higher ones after they were forgotten. */
    static final int LIFE_BITS = 20;

    private static final long START_LIMIT = Long.MAX_VALUE >> LIFE_BITS;

    private EpochFile() {
        // a function
    }

    /**
     * Returns the epoch of a new start, after it has been written to the file. A file belongs to one node.
     *
     * @param clock tells the number of the first start, in milliseconds since 1970
     * @throws IOException if the file can't be written, or has something else in it; then there is no epoch
     */
    public static long next(final Path file, final InstantSource clock) throws IOException {
        final long start = start(Files.exists(file) ? last(file) : 0, clock.millis());
        DurableFile.replace(file, start + "\n");
        return epoch(start);
    }

    /** Returns the number of a start after {@code last}, which is 0 if there was none that is known. */
    static long start(final long last, final long clockMs) {
        return Math.max(last + 1, clockMs);
    }

    /** Returns the first epoch of a start. */
    static long epoch(final long start) {
        return start << LIFE_BITS;
    }

    private static long last(final Path file) throws IOException {
        final var text = Files.readString(file, StandardCharsets.US_ASCII).strip();
        if (!text.matches("[0-9]{1,13}") || Long.parseLong(text) >= START_LIMIT) {
            throw new IOException(file + " does not have the number of a start");
        }
        return Long.parseLong(text);
    }
}

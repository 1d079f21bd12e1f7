// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was measured at each point of a sweep: one JSON object a line, in {@code bench/raw/planner}. */
final class RawRows {
    private static final Path FOLDER = Path.of("bench", "raw", "planner");

    private final String id;
    private final List<String> lines = new ArrayList<>();

    RawRows(final String id) {
        this.id = id;
    }

    void add(final String format, final Object... values) {
        lines.add(String.format(Locale.ROOT, format, values));
    }

    /** Writes the file anew. */
    void store() {
        try {
            Files.createDirectories(FOLDER);
            Files.write(FOLDER.resolve(id + ".jsonl"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import io.sluice.bus.CurveKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Key pairs of sites and nodes, in the files of a folder that all processes see. */
final class Keys {
    private Keys() {
        // functions
    }

    static void make(final Path folder, final Iterable<String> names) throws IOException {
        for (final var name : names) {
            CurveKeys.generate().save(file(folder, name));
        }
    }

    static CurveKeys of(final Path folder, final String name) {
        try {
            return CurveKeys.load(file(folder, name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String secret(final Path folder, final String name) {
        try {
            return Files.readAllLines(file(folder, name)).getLast();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** No site has a {@code _} in its name, so those of nodes are told apart from them. */
    private static Path file(final Path folder, final String name) {
        return folder.resolve(name.replace('/', '_') + ".keys");
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import io.sluice.bus.CurveKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Key pairs of sites, in the files of a folder that all processes see. */
final class Keys {
    private Keys() {
        // functions
    }

    static void make(final Path folder, final int sites) throws IOException {
        for (int site = 0; site <= sites; site++) {
            CurveKeys.generate().save(file(folder, site));
        }
    }

    static CurveKeys of(final Path folder, final int site) {
        try {
            return CurveKeys.load(file(folder, site));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String secret(final Path folder, final int site) {
        try {
            return Files.readAllLines(file(folder, site)).getLast();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path file(final Path folder, final int site) {
        return folder.resolve(Scheme.site(site) + ".keys");
    }
}

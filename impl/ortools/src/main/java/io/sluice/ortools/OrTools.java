// SPDX-License-Identifier: EPL-2.0
package io.sluice.ortools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads OR-Tools' native libraries. The loader that OR-Tools brings ({@code com.google.ortools.Loader}) can't read the
 * resource addresses of an OSGi framework, so this one unpacks the libraries into a new directory, loads them from
 * there and deletes it: the mapped libraries outlive their files.
 */
public final class OrTools {
    private static final Logger LOG = LoggerFactory.getLogger(OrTools.class);
    private static final Once LOADING = new Once(OrTools::unpackAndLoad);

    private OrTools() {
        // loads, and has no instances
    }

    /**
     * Makes the solver classes usable. Costs one or two seconds the first time, nothing afterwards; if it fails the
     * next call tries again.
     *
     * @throws UncheckedIOException if the libraries can't be copied to the temporary directory, as it is full
     * @throws UnsatisfiedLinkError if they don't fit this machine
     */
    public static void load() {
        try {
            LOADING.run();
        } catch (IOException e) {
            throw new UncheckedIOException("OR-Tools needs 72 MB for a moment in "
                + System.getProperty("java.io.tmpdir"), e);
        }
    }

    private static void unpackAndLoad() throws IOException {
        final var start = System.nanoTime();
        final var directory = Files.createTempDirectory("sluice-ortools-");
        try {
            unpack(directory);
            System.load(directory.resolve("libjniortools.so").toString());
        } finally {
            delete(directory);
        }
        LOG.info("OR-Tools loaded in {} ms", (System.nanoTime() - start) / 1_000_000);
    }

    /** Puts all libraries side by side, where each finds those that it needs. */
    private static void unpack(final Path directory) throws IOException {
        try (var zip = new ZipInputStream(OrTools.class.getResourceAsStream("natives.jar"))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                final var name = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
                if (name.contains(".so")) {
                    Files.copy(zip, directory.resolve(name));
                }
            }
        }
    }

    private static void delete(final Path directory) throws IOException {
        try (var files = Files.newDirectoryStream(directory)) {
            for (var file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who may connect to a proxy.
 *
 * @param names node ({@code site/name}) or, of a proxy, site, by public key in Z85; a node may have several keys
 */
public record AllowList(Map<String, String> names) {
    public AllowList {
        names = Map.copyOf(names);
        names.forEach((key, name) -> {
            if (!CurveKeys.isKey(key)) {
                throw new IllegalArgumentException("not a key in Z85: " + key);
            }
            if (name.indexOf('/') < 0) {
                NodeName.checkSite(name);
            } else {
                NodeName.of(name);
            }
        });
    }

    /**
     * Reads a file of lines {@code name key}; empty lines and lines that begin with {@code #} are skipped.
     *
     * @throws IOException if it can't be read, or a line is wrong
     */
    public static AllowList load(final Path file) throws IOException {
        final var names = new HashMap<String, String>();
        for (final var line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                final var words = line.strip().split("\\s+");
                if (words.length != 2 || names.put(words[1], words[0]) != null) {
                    throw new IOException(file + ": not a name and a key of its own: " + line);
                }
            }
        }
        try {
            return new AllowList(names);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /** Returns whose key it is. */
    public Optional<String> name(final String key) {
        return Optional.ofNullable(names.get(key));
    }
}

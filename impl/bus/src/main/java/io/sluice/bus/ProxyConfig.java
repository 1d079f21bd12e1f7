// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * What a proxy that is a process of its own reads from its files.
 *
 * @param remotes other sites' proxies, by site
 */
record ProxyConfig(String site, String bind, CurveKeys keys, AllowList allowed, Map<String, Remote> remotes) {
    private static final String REMOTE = "remote.";
    private static final Set<String> KNOWN = Set.of("site", "bind", "keys", "allow");

    ProxyConfig {
        remotes = Map.copyOf(remotes);
    }

    /**
     * Reads the file and those that it names, relative to its folder.
     *
     * @throws IOException if one can't be read or has something wrong in it; the message says what
     */
    static ProxyConfig load(final Path file) throws IOException {
        try {
            final var properties = properties(file);
            final var remotes = new HashMap<String, Remote>();
            for (final var name : properties.stringPropertyNames()) {
                if (name.startsWith(REMOTE)) {
                    final var words = properties.getProperty(name).strip().split("\\s+");
                    if (words.length != 2) {
                        throw new IllegalArgumentException(name + " is not an address and a key");
                    }
                    remotes.put(NodeName.checkSite(name.substring(REMOTE.length())), new Remote(words[0], words[1]));
                } else if (!KNOWN.contains(name)) {
                    throw new IllegalArgumentException("unknown: " + name);
                }
            }
            return new ProxyConfig(NodeName.checkSite(required(properties, "site")), required(properties, "bind"),
                CurveKeys.load(file.resolveSibling(required(properties, "keys"))),
                AllowList.load(file.resolveSibling(required(properties, "allow"))), remotes);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns when the files were changed last, to notice when they are again; of a missing file the beginning of time.
     */
    static List<FileTime> changed(final Path file) {
        final var times = new ArrayList<FileTime>();
        times.add(time(file));
        try {
            final var properties = properties(file);
            times.add(time(file.resolveSibling(properties.getProperty("keys", ""))));
            times.add(time(file.resolveSibling(properties.getProperty("allow", ""))));
        } catch (IOException | IllegalArgumentException e) {
            times.add(FileTime.fromMillis(0));
        }
        return times;
    }

    private static FileTime time(final Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    private static Properties properties(final Path file) throws IOException {
        final var properties = new Properties();
        try (var in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(in);
        }
        return properties;
    }

    private static String required(final Properties properties, final String name) {
        final var value = properties.getProperty(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value.strip();
    }
}

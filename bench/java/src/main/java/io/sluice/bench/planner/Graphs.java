// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import io.sluice.planner.format.Topology;
import io.sluice.planner.format.TopologyFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The topologies: topohub's in {@code bench/data}, or the files in the system property {@code graphs}, by spaces. */
final class Graphs {
    /** Of 200 nodes, for {@link WideRouting}. */
    static final String WIDE = "gabriel-200";

    private static final Path TOPOHUB = Path.of("bench", "data", "topohub");
    private static final List<String> STANDARD = List.of("AttMpls", "germany50", "ta2");
    private static final Map<String, Path> GIVEN = byName(System.getProperty("graphs", ""));

    private Graphs() {
        // reads, and has no instances
    }

    /** What rows are about: those that are given, else the standard ones. */
    static List<String> names() {
        return GIVEN.isEmpty() ? STANDARD : given();
    }

    static List<String> given() {
        return List.copyOf(GIVEN.keySet());
    }

    static Topology topology(final String name) {
        try {
            return TopologyFile.read(GIVEN.getOrDefault(name, TOPOHUB.resolve(name + ".json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParseException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static Map<String, Path> byName(final String files) {
        final var byName = new LinkedHashMap<String, Path>();
        Stream.of(files.split(" ")).filter(file -> !file.isEmpty()).map(Path::of)
            .forEach(file -> byName.put(file.getFileName().toString().replaceFirst("\\.[^.]*$", ""), file));
        return Collections.unmodifiableMap(byName);
    }
}

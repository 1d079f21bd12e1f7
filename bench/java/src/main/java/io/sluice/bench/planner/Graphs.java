// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import io.sluice.planner.format.Topology;
import io.sluice.planner.format.TopologyFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The topologies: topohub's in {@code bench/data}, which go by their names, or the files in the system property
 * {@code graphs}, by spaces. These go by their paths, so that points of one are never taken for those of another.
 */
final class Graphs {
    /** Of 200 nodes, for {@link WideRouting}. */
    static final String WIDE = "gabriel-200";

    private static final Path TOPOHUB = Path.of("bench", "data", "topohub");
    private static final List<String> STANDARD = List.of("AttMpls", "germany50", "ta2");
    private static final List<String> GIVEN = given(System.getProperty("graphs", ""));

    private Graphs() {
        // reads, and has no instances
    }

    /** What rows are about: those that are given, else the standard ones. */
    static List<String> names() {
        return GIVEN.isEmpty() ? STANDARD : GIVEN;
    }

    static List<String> given() {
        return GIVEN;
    }

    static Topology topology(final String name) {
        try {
            return TopologyFile.read(GIVEN.contains(name) ? Path.of(name) : TOPOHUB.resolve(name + ".json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParseException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** What a graph is called in results, which know no folders: a name, or that of a file with its ending. */
    static String title(final String name) {
        return Path.of(name).getFileName().toString();
    }

    /**
     * Paths of some files.
     *
     * @throws IllegalArgumentException if results could not tell two of them apart
     */
    static List<String> given(final String files) {
        final var paths = Stream.of(files.split(" ")).filter(file -> !file.isEmpty())
            .map(file -> Path.of(file).toAbsolutePath().normalize().toString()).distinct().toList();
        if (paths.stream().map(Graphs::title).distinct().count() < paths.size()) {
            throw new IllegalArgumentException("files of one name, in different folders: " + String.join(" ", paths));
        }
        return paths;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What was measured at the points of a sweep: one JSON object a line in {@code bench/raw/planner}, or in the folder
 * that the system property {@code points} says, written as soon as it is known, so that a benchmark that was
 * interrupted goes on where it was. What was measured at another commit, the system property {@code commit}, does not
 * count. Progress goes to standard error.
 */
final class Points {
    /** Peak resident memory of the process so far, in GiB. */
    static final String RESIDENT = "resident-gib";

    /** Where points are: of the standard graphs, and of those that are given. */
    static final List<Path> FOLDERS = List.of(Path.of("bench", "raw", "planner"),
        Path.of("bench", "raw", "planner", "given"));

    private static final Path FOLDER = Path.of(System.getProperty("points", "bench/raw/planner"));
    private static final JsonPrimitive COMMIT = new JsonPrimitive(System.getProperty("commit", "unknown"));
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final double KIB_PER_GIB = 1 << 20;

    private final String name;
    private final int all;
    private final Path file;
    private final List<JsonObject> rows = new ArrayList<>();
    private int done;

    /**
     * Reads what is stored.
     *
     * @param name of the sweep
     * @param all how many points it has
     */
    Points(final String name, final int all) {
        this.name = name;
        this.all = all;
        file = FOLDER.resolve(name + ".jsonl");
        try {
            Files.createDirectories(FOLDER);
            rows.addAll(read(file));
            Files.write(file, rows.stream().map(JsonObject::toString).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rows that some folders have of a sweep and a point, whatever its graph. */
    static List<JsonObject> ofAllGraphs(final List<Path> folders, final String name, final JsonObject point) {
        final var others = point.deepCopy();
        others.remove("graph");
        final var rows = new ArrayList<JsonObject>();
        try {
            for (final var folder : folders) {
                read(folder.resolve(name + ".jsonl")).stream()
                    .filter(row -> row.entrySet().containsAll(others.entrySet())).forEach(rows::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    private static List<JsonObject> read(final Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file).stream()
            .map(line -> JsonParser.parseString(line).getAsJsonObject())
            .filter(row -> COMMIT.equals(row.get("commit"))).toList() : List.of();
    }

    /**
     * The row of a point; it is measured if it is not stored.
     *
     * @param point what tells it from others
     * @param measure adds what it measures
     */
    JsonObject at(final JsonObject point, final Consumer<JsonObject> measure) {
        done++;
        return rows.stream().filter(row -> row.entrySet().containsAll(point.entrySet())).findFirst()
            .orElseGet(() -> measured(point, measure));
    }

    private JsonObject measured(final JsonObject point, final Consumer<JsonObject> measure) {
        final long startNs = System.nanoTime();
        final var row = point.deepCopy();
        row.add("commit", COMMIT);
        measure.accept(row);
        try {
            row.addProperty(RESIDENT, residentGib());
            Files.writeString(file, row + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        rows.add(row);
        System.err.printf("%s, %d of %d: %s took %d s%n", name, done, all, point,
            (System.nanoTime() - startNs) / 1_000_000_000);
        return row;
    }

    private static double residentGib() throws IOException {
        return Files.readAllLines(STATUS).stream().filter(line -> line.startsWith("VmHWM:"))
            .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", ""))).findFirst().orElseThrow()
            / KIB_PER_GIB;
    }
}

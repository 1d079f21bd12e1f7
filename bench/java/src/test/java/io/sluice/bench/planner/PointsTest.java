// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PointsTest {
    @TempDir
    private Path folder;

    /** Of two folders, one of which has nothing of the sweep; other chains and other sources don't count. */
    @Test
    void whatIsStoredOfAllGraphsIsFound() throws Exception {
        final var given = Files.createDirectory(folder.resolve("given"));
        Files.write(folder.resolve("wide.jsonl"), List.of(row("gabriel-200", 9, "unknown"), row("a", 8, "unknown")));
        Files.write(given.resolve("wide.jsonl"), List.of(row("/tmp/Kdl.graphml", 9, "unknown"), row("b", 9, "old")));

        assertEquals(List.of("gabriel-200", "/tmp/Kdl.graphml"), Points.ofAllGraphs(
            List.of(folder, given, folder.resolve("none")), "wide", new Case("gabriel-200", 9, 50, 1).point()).stream()
            .map(row -> row.get("graph").getAsString()).toList());
    }

    private static String row(final String graph, final int chains, final String commit) {
        final var row = new Case(graph, chains, 50, 1).point();
        row.addProperty("commit", commit);
        return row.toString();
    }
}

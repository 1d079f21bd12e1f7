// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;

/**
 * REPETITA's graph files: a section {@code NODES n} with {@code label x y}, a section {@code EDGES m} with {@code label
 * src dest weight bw delay}, each after a line of titles. Bandwidth is in kbit/s, delay in microseconds; each direction
 * is an edge of its own.
 */
final class Repetita {
    private static final int NODE_FIELDS = 3;
    private static final int EDGE_FIELDS = 6;
    private static final long KILO = 1_000;

    private final String[] lines;
    private int line;

    private Repetita(final String text) {
        lines = text.split("\\R");
    }

    static Topology parse(final String text) throws ParseException {
        final var file = new Repetita(text);
        final var nodes = new ArrayList<String>();
        for (final var node : file.section("NODES", NODE_FIELDS)) {
            nodes.add(node[0]);
        }
        final var arcs = new ArrayList<Topology.Arc>();
        for (final var edge : file.section("EDGES", EDGE_FIELDS)) {
            arcs.add(new Topology.Arc(Integer.parseInt(edge[1]), Integer.parseInt(edge[2]),
                Math.round(Double.parseDouble(edge[4]) * KILO), Math.round(Double.parseDouble(edge[5])),
                Math.max(1, Math.round(Double.parseDouble(edge[3])))));
        }
        return new Topology(nodes, arcs, List.of());
    }

    private List<String[]> section(final String title, final int fields) throws ParseException {
        while (line < lines.length && !lines[line].startsWith(title + " ")) {
            line++;
        }
        if (line == lines.length) {
            throw new ParseException("no section " + title, 0);
        }
        final int count = Integer.parseInt(lines[line].substring(title.length() + 1).strip());
        line += 2;
        final var rows = new ArrayList<String[]>();
        for (int i = 0; i < count; i++, line++) {
            final var row = line < lines.length ? lines[line].strip().split("\\s+") : new String[0];
            if (row.length != fields) {
                throw new ParseException("line " + (line + 1) + ": " + fields + " fields expected", line);
            }
            rows.add(row);
        }
        return rows;
    }
}

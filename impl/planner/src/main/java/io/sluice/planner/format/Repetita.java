// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * REPETITA's graph files: a section {@code NODES n} with {@code label x y}, a section {@code EDGES m} with {@code label
 * src dest weight bw delay}, each after a line of titles. Bandwidth is in kbit/s, delay in microseconds; each direction
 * is an edge of its own. A traffic matrix is a file of its own: a section {@code DEMANDS k} with {@code label src dest
 * bw}.
 */
final class Repetita {
    private static final int NODE_FIELDS = 3;
    private static final int EDGE_FIELDS = 6;
    private static final int DEMAND_FIELDS = 4;
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
            nodes.add(node.fields[0]);
        }
        final var arcs = new ArrayList<Topology.Arc>();
        for (final var edge : file.section("EDGES", EDGE_FIELDS)) {
            arcs.add(edge.arc(nodes.size()));
        }
        return new Topology(nodes, arcs, List.of());
    }

    /** The traffic matrix for a graph of so many nodes. */
    static List<Topology.Demand> demands(final String text, final int nodes) throws ParseException {
        final var demands = new ArrayList<Topology.Demand>();
        for (final var demand : new Repetita(text).section("DEMANDS", DEMAND_FIELDS)) {
            demands.add(demand.demand(nodes));
        }
        return demands;
    }

    /** A line, counted from 1, in its fields. */
    private record Row(int line, String... fields) {
        double number(final int index) throws ParseException {
            try {
                return Double.parseDouble(fields[index]);
            } catch (NumberFormatException e) {
                throw wrong(fields[index] + " is not a number");
            }
        }

        int node(final int index, final int nodes) throws ParseException {
            try {
                return Objects.checkIndex(Integer.parseInt(fields[index]), nodes);
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                throw wrong("there is no node " + fields[index]);
            }
        }

        Topology.Arc arc(final int nodes) throws ParseException {
            try {
                return new Topology.Arc(node(1, nodes), node(2, nodes), Math.round(number(4) * KILO),
                    Math.round(number(5)), Math.max(1, Math.round(number(3))));
            } catch (IllegalArgumentException e) {
                throw wrong(e.getMessage());
            }
        }

        Topology.Demand demand(final int nodes) throws ParseException {
            final double volume = number(3);
            if (!(volume >= 0 && volume < Double.POSITIVE_INFINITY)) {
                throw wrong("a demand of " + fields[3]);
            }
            return new Topology.Demand(node(1, nodes), node(2, nodes), volume);
        }

        ParseException wrong(final String what) {
            return new ParseException("line " + line + ": " + what, line);
        }
    }

    private List<Row> section(final String title, final int fields) throws ParseException {
        while (line < lines.length && !lines[line].startsWith(title + " ")) {
            line++;
        }
        if (line == lines.length) {
            throw new ParseException("no section " + title, 0);
        }
        final double count = new Row(line + 1, lines[line].substring(title.length() + 1).strip()).number(0);
        line += 2;
        final var rows = new ArrayList<Row>();
        for (int i = 0; i < count; i++, line++) {
            final var row = new Row(line + 1, line < lines.length ? lines[line].strip().split("\\s+") : new String[0]);
            if (row.fields.length != fields) {
                throw row.wrong(fields + " fields expected");
            }
            rows.add(row);
        }
        return rows;
    }
}

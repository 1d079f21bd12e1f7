// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import java.text.ParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * SNDlib's native text format. Nodes have longitude and latitude, from which delays come; links are undirected, with a
 * pre-installed capacity in Mbit/s (0: none stated); demands go one way.
 */
final class Sndlib {
    private static final String NUMBER = "(-?\\d+(?:\\.\\d*)?)";
    private static final Pattern NODE = Pattern.compile("(\\S+) \\( " + NUMBER + " " + NUMBER + " \\)");
    private static final Pattern LINK = Pattern.compile("(\\S+) \\( (\\S+) (\\S+) \\) " + NUMBER + " .*");
    private static final Pattern DEMAND = Pattern.compile("(\\S+) \\( (\\S+) (\\S+) \\) \\d+ " + NUMBER + " .*");
    private static final double MEGA = 1e6;

    private final String text;
    private final List<String> names = new ArrayList<>();
    private final Map<String, Place> places = new HashMap<>();

    private record Place(int node, double longitude, double latitude) { }

    private Sndlib(final String text) {
        this.text = text;
    }

    static Topology parse(final String text) throws ParseException {
        final var file = new Sndlib(text);
        for (final var node : file.section("NODES", NODE)) {
            file.places.put(node.text(1), new Place(file.names.size(), node.number(2), node.number(3)));
            file.names.add(node.text(1));
        }
        final var arcs = new ArrayList<Topology.Arc>();
        for (final var link : file.section("LINKS", LINK)) {
            arcs.addAll(file.arcs(link));
        }
        final var demands = new ArrayList<Topology.Demand>();
        for (final var demand : file.section("DEMANDS", DEMAND)) {
            demands.add(new Topology.Demand(file.place(demand, 2).node, file.place(demand, 3).node, demand.number(4)));
        }
        return new Topology(file.names, arcs, demands);
    }

    /** An entry of a section, which begins with its name, in a line that is counted from 1. */
    private record Entry(int line, MatchResult match) {
        String text(final int group) {
            return match.group(group);
        }

        double number(final int group) {
            return Double.parseDouble(text(group));
        }

        ParseException wrong(final String what) {
            return new ParseException("line " + line + ": " + text(1) + ": " + what, line);
        }
    }

    /** Both directions of a link. */
    private List<Topology.Arc> arcs(final Entry link) throws ParseException {
        final var one = place(link, 2);
        final var other = place(link, 3);
        if (one.node == other.node) {
            throw link.wrong("a link from node " + link.text(2) + " to itself");
        }
        final long rate = Math.round(link.number(4) * MEGA);
        final long delayUs = Fibre.delayUs(
            Fibre.distanceKm(one.longitude, one.latitude, other.longitude, other.latitude));
        try {
            return List.of(new Topology.Arc(one.node, other.node, rate, delayUs, Math.max(1, delayUs)),
                new Topology.Arc(other.node, one.node, rate, delayUs, Math.max(1, delayUs)));
        } catch (IllegalArgumentException e) {
            throw link.wrong(e.getMessage());
        }
    }

    private List<Entry> section(final String title, final Pattern pattern) throws ParseException {
        final int start = text.indexOf("\n" + title + " (");
        final int end = text.indexOf("\n)", start);
        if (start < 0 || end < 0) {
            throw new ParseException("no section " + title, 0);
        }
        int number = (int) text.substring(0, start + 1).lines().count();
        final var entries = new ArrayList<Entry>();
        // the first of these lines is the rest of the title's
        for (final var line : text.substring(text.indexOf('\n', start + 1), end).lines().map(String::strip).toList()) {
            number++;
            if (!line.isEmpty()) {
                final var match = pattern.matcher(line);
                if (!match.matches()) {
                    throw new ParseException("line " + number + ": " + title + ": " + line, number);
                }
                entries.add(new Entry(number, match.toMatchResult()));
            }
        }
        return entries;
    }

    private Place place(final Entry entry, final int group) throws ParseException {
        final var place = places.get(entry.text(group));
        if (place == null) {
            throw entry.wrong("no node is called " + entry.text(group));
        }
        return place;
    }
}

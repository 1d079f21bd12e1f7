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
    private static final Pattern LINK = Pattern.compile("\\S+ \\( (\\S+) (\\S+) \\) " + NUMBER + " .*");
    private static final Pattern DEMAND = Pattern.compile("\\S+ \\( (\\S+) (\\S+) \\) \\d+ " + NUMBER + " .*");
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
            file.places.put(node.group(1), new Place(file.names.size(), Double.parseDouble(node.group(2)),
                Double.parseDouble(node.group(3))));
            file.names.add(node.group(1));
        }
        final var arcs = new ArrayList<Topology.Arc>();
        for (final var link : file.section("LINKS", LINK)) {
            final var one = file.place(link.group(1));
            final var other = file.place(link.group(2));
            final long rate = Math.round(Double.parseDouble(link.group(3)) * MEGA);
            final long delayUs = Fibre.delayUs(
                Fibre.distanceKm(one.longitude, one.latitude, other.longitude, other.latitude));
            arcs.add(new Topology.Arc(one.node, other.node, rate, delayUs, Math.max(1, delayUs)));
            arcs.add(new Topology.Arc(other.node, one.node, rate, delayUs, Math.max(1, delayUs)));
        }
        final var demands = new ArrayList<Topology.Demand>();
        for (final var demand : file.section("DEMANDS", DEMAND)) {
            demands.add(new Topology.Demand(file.place(demand.group(1)).node, file.place(demand.group(2)).node,
                Double.parseDouble(demand.group(3))));
        }
        return new Topology(file.names, arcs, demands);
    }

    private List<MatchResult> section(final String title, final Pattern entry) throws ParseException {
        final int start = text.indexOf("\n" + title + " (");
        final int end = text.indexOf("\n)", start);
        if (start < 0 || end < 0) {
            throw new ParseException("no section " + title, 0);
        }
        final var entries = new ArrayList<MatchResult>();
        for (final var line : text.substring(text.indexOf('\n', start + 1), end).lines().map(String::strip)
                .filter(line -> !line.isEmpty()).toList()) {
            final var match = entry.matcher(line);
            if (!match.matches()) {
                throw new ParseException(title + ": " + line, start);
            }
            entries.add(match.toMatchResult());
        }
        return entries;
    }

    private Place place(final String name) throws ParseException {
        final var place = places.get(name);
        if (place == null) {
            throw new ParseException("no node is called " + name, 0);
        }
        return place;
    }
}

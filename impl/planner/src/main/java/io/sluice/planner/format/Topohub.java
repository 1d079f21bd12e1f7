// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Topohub's files: node-link JSON as NetworkX writes it, undirected, with distances in kilometres and for some networks
 * demands. The delay of a link, and its weight, come from its distance.
 */
final class Topohub {
    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<Topology.Arc> arcs = new ArrayList<>();
    private final List<Topology.Demand> demands = new ArrayList<>();

    static Topology parse(final String json) throws ParseException {
        try {
            final var file = JsonParser.parseString(json).getAsJsonObject();
            final var topohub = new Topohub();
            topohub.readNodes(file);
            topohub.readEdges(file);
            topohub.readDemands(file);
            return new Topology(topohub.names, topohub.arcs, topohub.demands);
        } catch (JsonParseException e) {
            final var cause = e.getCause() == null ? e : e.getCause();
            throw new ParseException("not JSON: " + cause.getMessage().lines().findFirst().orElseThrow(), 0);
        } catch (ClassCastException | IllegalStateException | NumberFormatException
                | UnsupportedOperationException e) {
            throw new ParseException("neither JSON of sluice-planner nor a topohub file: " + e.getMessage(), 0);
        }
    }

    private void readNodes(final JsonObject file) throws ParseException {
        for (final var element : member(file, "nodes").getAsJsonArray()) {
            final var node = element.getAsJsonObject();
            final var id = member(node, "id").getAsString();
            numbers.put(id, names.size());
            names.add(node.has("name") ? node.get("name").getAsString() : id);
        }
    }

    private void readEdges(final JsonObject file) throws ParseException {
        final var edges = member(file, "edges").getAsJsonArray();
        for (int index = 0; index < edges.size(); index++) {
            try {
                readEdge(edges.get(index).getAsJsonObject());
            } catch (ParseException | IllegalArgumentException e) {
                throw new ParseException("edges[" + index + "]: " + e.getMessage(), 0);
            }
        }
    }

    private void readEdge(final JsonObject edge) throws ParseException {
        final var source = member(edge, "source").getAsString();
        final int one = number(source);
        final int other = number(member(edge, "target").getAsString());
        if (one == other) {
            throw new ParseException("a link from node " + source + " to itself", 0);
        }
        final double km = decimal(member(edge, "dist"), "dist");
        if (km < 0) {
            throw new ParseException("a link of " + km + " km", 0);
        }
        final long delayUs = Fibre.delayUs(km);
        final long weight = Math.max(1, delayUs);
        arcs.add(new Topology.Arc(one, other, Topology.UNKNOWN, delayUs, weight));
        arcs.add(new Topology.Arc(other, one, Topology.UNKNOWN, delayUs, weight));
    }

    private void readDemands(final JsonObject file) throws ParseException {
        final var graph = file.getAsJsonObject("graph");
        if (graph == null || !graph.has("demands")) {
            return;
        }
        for (final var row : graph.getAsJsonObject("demands").entrySet()) {
            for (final var entry : row.getValue().getAsJsonObject().entrySet()) {
                demands.add(new Topology.Demand(number(row.getKey()), number(entry.getKey()),
                    decimal(entry.getValue(), "the demand from " + row.getKey() + " to " + entry.getKey())));
            }
        }
    }

    private static JsonElement member(final JsonObject object, final String name) throws ParseException {
        if (!object.has(name)) {
            throw new ParseException("no " + name + " in " + object.keySet(), 0);
        }
        return object.get(name);
    }

    private static double decimal(final JsonElement value, final String what) throws ParseException {
        try {
            return value.getAsDouble();
        } catch (NumberFormatException e) {
            throw new ParseException(what + " is " + value + ", not a number", 0);
        }
    }

    private int number(final String id) throws ParseException {
        final var number = numbers.get(id);
        if (number == null) {
            throw new ParseException("no node has the id " + id, 0);
        }
        return number;
    }
}

// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import java.io.IOException;
import java.io.StringReader;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * GraphML as the Internet Topology Zoo writes it: undirected, with labels, and latitude and longitude of most nodes,
 * from which delays come. A node without a place counts as amid those of its neighbours that have one. Nodes of one
 * label are told apart by their ids. Links from a node to itself, of which some files have a few, lead nowhere and are
 * left out. The speeds of links are free text there, and not read.
 */
final class TopologyZoo {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<Optional<Place>> places = new ArrayList<>();

    private record Place(double longitude, double latitude) {
        static Place amid(final List<Place> others) {
            return new Place(others.stream().mapToDouble(Place::longitude).average().orElseThrow(),
                others.stream().mapToDouble(Place::latitude).average().orElseThrow());
        }
    }

    private record Edge(int one, int other) {
        int across(final int node) {
            return node == one ? other : one;
        }
    }

    static Topology parse(final String xml) throws ParseException {
        final var document = document(xml);
        final var zoo = new TopologyZoo();
        final var names = zoo.readNodes(document);
        final var edges = zoo.readEdges(document);
        zoo.placeTheRest(edges);
        return new Topology(names, zoo.arcs(edges), List.of());
    }

    private static Document document(final String xml) throws ParseException {
        try {
            final var factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            final var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new DefaultHandler());
            return builder.parse(new InputSource(new StringReader(xml)));
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new ParseException("not GraphML: " + e.getMessage(), 0);
        }
    }

    private List<String> readNodes(final Document document) throws ParseException {
        final var keys = new HashMap<String, String>();
        for (final var key : elements(document.getDocumentElement(), "key")) {
            if (key.getAttribute("for").equals("node")) {
                keys.put(key.getAttribute("id"), key.getAttribute("attr.name"));
            }
        }
        final var labels = new ArrayList<String>();
        final var ids = new ArrayList<String>();
        for (final var node : elements(document.getDocumentElement(), "node")) {
            final var id = node.getAttribute("id");
            final var data = new HashMap<String, String>();
            for (final var entry : elements(node, "data")) {
                data.put(keys.getOrDefault(entry.getAttribute("key"), ""), entry.getTextContent().strip());
            }
            numbers.put(id, ids.size());
            ids.add(id);
            labels.add(data.getOrDefault("label", id));
            places.add(place(id, data));
        }
        return IntStream.range(0, ids.size()).mapToObj(node -> {
            final var label = labels.get(node);
            return Collections.frequency(labels, label) == 1 ? label : label + "-" + ids.get(node);
        }).toList();
    }

    private static Optional<Place> place(final String id, final Map<String, String> data) throws ParseException {
        if (!data.containsKey("Longitude") || !data.containsKey("Latitude")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Place(Double.parseDouble(data.get("Longitude")),
                Double.parseDouble(data.get("Latitude"))));
        } catch (NumberFormatException e) {
            throw new ParseException("node " + id + ": its place is not of numbers", 0);
        }
    }

    private List<Edge> readEdges(final Document document) throws ParseException {
        final var edges = new ArrayList<Edge>();
        for (final var edge : elements(document.getDocumentElement(), "edge")) {
            edges.add(new Edge(number(edge.getAttribute("source")), number(edge.getAttribute("target"))));
        }
        edges.removeIf(edge -> edge.one == edge.other);
        return edges;
    }

    private int number(final String id) throws ParseException {
        final var number = numbers.get(id);
        if (number == null) {
            throw new ParseException("no node has the id " + id, 0);
        }
        return number;
    }

    /** From the nodes that have a place outwards. */
    private void placeTheRest(final List<Edge> edges) {
        boolean isProgress;
        do {
            final var known = List.copyOf(places);
            for (int node = 0; node < known.size(); node++) {
                if (known.get(node).isEmpty()) {
                    places.set(node, amidNeighbours(node, edges, known));
                }
            }
            isProgress = !known.equals(places);
        } while (isProgress);
    }

    private static Optional<Place> amidNeighbours(final int node, final List<Edge> edges,
            final List<Optional<Place>> known) {
        final var around = edges.stream().filter(edge -> edge.one == node || edge.other == node)
            .map(edge -> edge.across(node)).distinct().flatMap(other -> known.get(other).stream()).toList();
        return around.isEmpty() ? Optional.empty() : Optional.of(Place.amid(around));
    }

    /** Nodes of which nothing is known, not even through others, are all at one place. */
    private List<Topology.Arc> arcs(final List<Edge> edges) {
        final var arcs = new ArrayList<Topology.Arc>();
        for (final var edge : edges) {
            final long delayUs = places.get(edge.one).flatMap(one -> places.get(edge.other).map(other ->
                Fibre.delayUs(Fibre.distanceKm(one.longitude, one.latitude, other.longitude, other.latitude))))
                .orElse(0L);
            final long weight = Math.max(1, delayUs);
            arcs.add(new Topology.Arc(edge.one, edge.other, Topology.UNKNOWN, delayUs, weight));
            arcs.add(new Topology.Arc(edge.other, edge.one, Topology.UNKNOWN, delayUs, weight));
        }
        return arcs;
    }

    private static List<Element> elements(final Element parent, final String name) {
        final var found = parent.getElementsByTagName(name);
        return IntStream.range(0, found.getLength()).mapToObj(index -> (Element) found.item(index)).toList();
    }
}

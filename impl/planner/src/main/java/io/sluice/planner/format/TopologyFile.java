// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Comparator;
import java.util.regex.Pattern;

/** Reads topology files; the ending of the name tells the format. */
public final class TopologyFile {
    private TopologyFile() {
        // reads, and has no instances
    }

    /**
     * Reads {@code *.json} (topohub), {@code *.graph} (REPETITA), {@code *.graphml} (Topology Zoo) or {@code *.txt}
     * (SNDlib, native format). Demands of {@code x.graph} are those of {@code x.demands}, or else of the first of
     * {@code x.*.demands} in the order of their names, if there is one.
     *
     * @throws ParseException if the file is not of its format; the message names the place
     */
    public static Topology read(final Path file) throws IOException, ParseException {
        final var name = file.getFileName().toString();
        final var text = Files.readString(file);
        try {
            return switch (name.substring(name.lastIndexOf('.') + 1)) {
                case "json" -> Topohub.parse(text);
                case "graph" -> withDemands(Repetita.parse(text), file);
                case "graphml" -> TopologyZoo.parse(text);
                case "txt" -> Sndlib.parse(text);
                default -> throw new ParseException("not .json, .graph, .graphml or .txt", 0);
            };
        } catch (ParseException e) {
            throw new ParseException(name + ": " + e.getMessage(), e.getErrorOffset());
        } catch (IllegalArgumentException e) {
            throw new ParseException(name + ": " + e.getMessage(), 0);
        }
    }

    private static Topology withDemands(final Topology graph, final Path file) throws IOException, ParseException {
        final var stem = file.getFileName().toString().replaceFirst("graph$", "");
        try (var siblings = Files.list(file.toAbsolutePath().getParent())) {
            final var demands = siblings.filter(each -> each.getFileName().toString()
                .matches(Pattern.quote(stem) + "([^.]*\\.)?demands"))
                .min(Comparator.comparing((Path each) -> !each.endsWith(stem + "demands"))
                    .thenComparing(Comparator.naturalOrder()));
            return demands.isEmpty() ? graph : withMatrix(graph, demands.orElseThrow());
        }
    }

    private static Topology withMatrix(final Topology graph, final Path file) throws IOException, ParseException {
        try {
            return new Topology(graph.nodes(), graph.arcs(),
                Repetita.demands(Files.readString(file), graph.nodes().size()));
        } catch (ParseException e) {
            throw new ParseException(file.getFileName() + ": " + e.getMessage(), e.getErrorOffset());
        }
    }
}

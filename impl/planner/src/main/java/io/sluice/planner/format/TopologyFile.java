// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;

/** Reads topology files; the ending of the name tells the format. */
public final class TopologyFile {
    private TopologyFile() {
        // reads, and has no instances
    }

    /**
     * Reads {@code *.json} (topohub), {@code *.graph} (REPETITA), {@code *.graphml} (Topology Zoo) or {@code *.txt}
     * (SNDlib, native format).
     *
     * @throws ParseException if the file is not of its format; the message names the place
     */
    public static Topology read(final Path file) throws IOException, ParseException {
        final var name = file.getFileName().toString();
        final var text = Files.readString(file);
        try {
            return switch (name.substring(name.lastIndexOf('.') + 1)) {
                case "json" -> Topohub.parse(text);
                case "graph" -> Repetita.parse(text);
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
}

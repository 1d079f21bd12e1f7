// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Words and how often each is used. */
public final class WordTable implements Serializable {
    private static final long serialVersionUID = 1;

    private final String[] words;
    private final double[] cumulative;

    private WordTable(final String[] words, final double[] cumulative) {
        this.words = words;
        this.cumulative = cumulative;
    }

    /**
     * Reads a file that has a word and its frequency, of any unit, on each line, with a tab between.
     *
     * @throws IOException if it can't be read, or is no such file, with the line
     */
    public static WordTable read(final Path file) throws IOException {
        return of(Files.readAllLines(file, StandardCharsets.UTF_8), file.toString());
    }

    /** A table of such lines; {@code origin} is named if one is wrong. */
    static WordTable of(final List<String> lines, final String origin) throws IOException {
        final var words = new String[lines.size()];
        final double[] cumulative = new double[lines.size()];
        double sum = 0;
        for (int line = 0; line < words.length; line++) {
            final String[] fields = lines.get(line).split("\t");
            final double frequency = fields.length == 2 ? positive(fields[1]) : 0;
            if (frequency == 0 || fields[0].isBlank()) {
                throw new IOException(origin + ":" + (line + 1) + ": no word and its frequency with a tab between: "
                    + lines.get(line));
            }
            words[line] = fields[0];
            sum += frequency;
            cumulative[line] = sum;
        }
        if (words.length == 0) {
            throw new IOException(origin + " has no words");
        }
        return new WordTable(words, cumulative);
    }

    /** Number of words. */
    public int size() {
        return words.length;
    }

    /** The word on a line of the table, from 0. */
    public String word(final int line) {
        return words[line];
    }

    /** A word, each as often as the table says. */
    public String draw(final RandomGenerator random) {
        final int found = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[words.length - 1]);
        return words[found < 0 ? -found - 1 : Math.min(found + 1, words.length - 1)];
    }

    /** 0 if the text is no positive number. */
    private static double positive(final String text) {
        try {
            final double number = Double.parseDouble(text);
            return number > 0 && number < Double.POSITIVE_INFINITY ? number : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}

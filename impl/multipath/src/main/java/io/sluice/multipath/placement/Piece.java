// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.List;

/**
 * A part of a demand that is served by one flow, with the places where it can be had.
 *
 * @param absent servers that offer it too, and why they are no candidates
 */
public record Piece(int number, List<Candidate> candidates, List<Absent> absent) {
    public Piece {
        candidates = List.copyOf(candidates);
        absent = List.copyOf(absent);
    }

    /** A piece that all servers that offer it are candidates for. */
    public Piece(final int number, final List<Candidate> candidates) {
        this(number, candidates, List.of());
    }

    /** The same with other candidates. */
    Piece with(final List<Candidate> others) {
        return new Piece(number, others, absent);
    }
}

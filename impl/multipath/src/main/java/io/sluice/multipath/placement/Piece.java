// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.List;

/** A part of a demand that is served by one flow, with the places where it can be had. */
public record Piece(int number, List<Candidate> candidates) {
    public Piece {
        candidates = List.copyOf(candidates);
    }
}
